export const tabs = ["now", "readers", "zones", "agents", "settings"] as const;
export type Tab = (typeof tabs)[number];

/** Which readers are shown. */
export const shown = ["active", "silent", "revoked"] as const;
export type Shown = (typeof shown)[number];

/** How far back the activity of a reader is shown. */
export const ranges = ["hour", "day", "week", "month"] as const;
export type Range = (typeof ranges)[number];

/**
 * The tab, the zone that one looks into, which readers are shown, and the reader whose activity is shown. They are part
 * of the address.
 */
export type LiveSearch = { tab?: Tab; zone?: string; show?: Shown; reader?: string; range?: Range };

/** Reads the search of an address. Unknown values are left out. */
export function parseLiveSearch({ tab, zone, show, reader, range }: Record<string, unknown>): LiveSearch {
  const [knownTab, knownShow] = [tabs.find((one) => one === tab), shown.find((one) => one === show)];
  const knownRange = ranges.find((one) => one === range);
  return {
    ...(knownTab && { tab: knownTab }),
    ...(typeof zone === "string" && zone !== "" && { zone }),
    ...(knownShow && { show: knownShow }),
    ...(typeof reader === "string" && reader !== "" && { reader }),
    ...(knownRange && { range: knownRange }),
  };
}
