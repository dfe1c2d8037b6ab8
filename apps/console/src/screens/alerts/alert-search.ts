import type { Schemas } from "../../api/client.ts";

export const states = ["open", "acknowledged", "resolved", "all"] as const satisfies (
  | Schemas["Alert"]["status"]
  | "all"
)[];
export type State = (typeof states)[number];

export const tabs = ["list", "rules"] as const;
export type Tab = (typeof tabs)[number];

/** The tab and the filter of the list, which are part of the address. Without a state, the open alerts are shown. */
export type AlertSearch = { tab?: Tab; state?: State; rule?: string; asset?: string };

/** Reads the search of an address. Unknown values are left out. */
export function parseAlertSearch(input: Record<string, unknown>): AlertSearch {
  const tab = tabs.find((one) => one === input.tab);
  const state = states.find((one) => one === input.state);
  const ids = (["rule", "asset"] as const).flatMap((name) => {
    const value = input[name];
    return typeof value === "string" && value !== "" ? [[name, value] as const] : [];
  });
  return { ...Object.fromEntries(ids), ...(tab && { tab }), ...(state && { state }) };
}

/** The filter of GET /alerts. */
export const alertQuery = ({ state = "open", rule, asset }: AlertSearch) => ({
  ...(state !== "all" && { status: state }),
  ...(rule && { rule_id: rule }),
  ...(asset && { asset_id: asset }),
});
