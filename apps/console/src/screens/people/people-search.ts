export const tabs = ["custodians", "departments", "categories", "custom-fields"] as const;
export type Tab = (typeof tabs)[number];

/** The tab and its search, which are part of the address. Without a tab it is the first one. */
export type PeopleSearch = { tab?: Tab; q?: string };

/** Reads the search of an address. The router reads a number from "?q=1815". */
export function parsePeopleSearch({ tab, q }: Record<string, unknown>): PeopleSearch {
  const known = tabs.find((one) => one === tab);
  const hasText = (typeof q === "string" && q !== "") || typeof q === "number";
  return { ...(known && { tab: known }), ...(hasText && { q: String(q) }) };
}
