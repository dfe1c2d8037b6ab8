/**
 * The types of events in a workspace, as webhooks and the event feed report it, and the capability that a session needs to see
 * it. Services and the gateway use this list.
 */
export const eventTypes = {
  "asset.created": "view",
  "asset.updated": "view",
  "asset.status_changed": "view",
  "asset.moved": "view",
  "asset.disposed": "view",
  "asset.deleted": "view",
  "checkout.created": "view",
  "checkout.returned": "view",
  "tag.commissioned": "view",
  "tag.decommissioned": "view",
  "alert.raised": "view",
  "alert.acknowledged": "view",
  "alert.resolved": "view",
  "stocktake.opened": "view",
  "stocktake.reconciled": "view",
  "stocktake.variance_resolved": "view",
  "stocktake.closed": "view",
  "stocktake.cancelled": "view",
  "work_order.created": "view",
  "work_order.updated": "view",
  "work_order.status_changed": "view",
  "contract.created": "view",
  "contract.updated": "view",
  "contract.cancelled": "view",
  "depreciation_run.posted": "view",
  "reader.revoked": "devices",
  "reader.online": "devices",
  "reader.offline": "devices",
} as const satisfies Record<string, "view" | "devices">;

export type EventType = keyof typeof eventTypes;

const GROUP = /^[a-z_]+\.\*$/;

/** The types of a filter, which is one type or a group ("asset.*"). Empty if there is no such type or group. */
export function eventTypesOf(filter: string): EventType[] {
  const types = Object.keys(eventTypes) as EventType[];
  return types.filter(
    (type) => type === filter || (GROUP.test(filter) && type.startsWith(filter.slice(0, -1))),
  );
}
