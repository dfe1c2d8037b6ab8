import type { LinkProps } from "@tanstack/react-router";

/** The parts of GET /home that have a page, in the order of Home, with the page that shows what is counted. */
export const links = {
  alerts_open: { to: "/alerts" },
  checkouts_overdue: { to: "/checkouts", search: { view: "overdue" } },
  readers_silent: { to: "/live", search: { tab: "readers", show: "silent" } },
} as const satisfies Record<string, LinkProps>;

export type LinkedPart = keyof typeof links;
export const linkedParts = Object.keys(links) as LinkedPart[];

/** The parts without a page yet. */
export const otherParts = [
  "maintenance_due",
  "calibrations_due",
  "contracts_expiring",
  "counts_in_progress",
] as const;
