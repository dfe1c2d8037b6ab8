/** The tabs that everybody has, and those that only admins have. */
export const tabs = ["profile", "workspace", "users", "sso", "keys", "webhooks", "audit"] as const;
export type Tab = (typeof tabs)[number];

/** The tab, and the filter of the audit log. They are part of the address. */
export type SettingsSearch = { tab?: Tab; actor?: string; action?: string };

/** Reads the search of an address. Unknown values are left out. */
export function parseSettingsSearch(input: Record<string, unknown>): SettingsSearch {
  const tab = tabs.find((one) => one === input.tab);
  const fields = (["actor", "action"] as const).flatMap((name) => {
    const value = input[name];
    return typeof value === "string" && value !== "" ? [[name, value] as const] : [];
  });
  return { ...Object.fromEntries(fields), ...(tab && { tab }) };
}
