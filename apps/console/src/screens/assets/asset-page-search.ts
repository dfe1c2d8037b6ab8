export const tabs = [
  "overview",
  "history",
  "seen",
  "custody",
  "documents",
  "orders",
  "depreciation",
] as const;
export type Tab = (typeof tabs)[number];

/**
 * The tab of an asset's page, the day of which its history shows the state, and the days in which it was seen. They are
 * part of the address.
 */
export type AssetPageSearch = { tab?: Tab; day?: string; from?: string; to?: string };

const DAY = /^\d{4}-\d{2}-\d{2}$/;

const isDay = (value: unknown): value is string =>
  typeof value === "string" && DAY.test(value) && !Number.isNaN(Date.parse(value));

/** Reads the search of an address. What is unknown is left out. */
export function parseAssetPageSearch({ tab, day, from, to }: Record<string, unknown>): AssetPageSearch {
  const known = tabs.find((one) => one === tab);
  return {
    ...(known && { tab: known }),
    ...(isDay(day) && { day }),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
  };
}
