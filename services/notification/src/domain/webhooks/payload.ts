import type { Alert } from "../alerts/alert.ts";
import type { Clone } from "../alerts/sighting.ts";
import { DIGEST_TYPE, type Message, type MessageType, TEST_TYPE } from "./message.ts";

/** A change of an asset's location or custodian. */
export type Movement = {
  id: string;
  assetId: string;
  fromLocationId?: string | undefined;
  fromCustodianId?: string | undefined;
  toLocationId?: string | undefined;
  toCustodianId?: string | undefined;
  reason?: string | undefined;
  ref?: string | undefined;
  at: Date;
  by: { kind: string; id: string };
};

/** An asset that was issued or returned. */
export type Checkout = {
  id: string;
  assetId: string;
  issuedToType: string;
  issuedToId?: string | undefined;
  issuedAt: Date;
  dueAt?: Date | undefined;
  conditionOut?: string | undefined;
  conditionIn?: string | undefined;
  returnedAt?: Date | undefined;
  returnedLate: boolean;
  needsInspection: boolean;
};

/** The event behind a message. */
export type Cause = Pick<Message, "workspaceId" | "time" | "publishedAt"> & { id: string; sequence: number };

/** asset.moved: `seq` counts the asset's movements. */
export function movementMessage(cause: Cause, movement: Movement): Message {
  const { fromLocationId = null, fromCustodianId = null } = movement;
  const { toLocationId = null, toCustodianId = null, reason = null, ref = null } = movement;
  return message(cause, "asset.moved", {
    asset_id: movement.assetId,
    movement_id: movement.id,
    from: { location_id: fromLocationId, custodian_id: fromCustodianId },
    to: { location_id: toLocationId, custodian_id: toCustodianId },
    reason,
    ref,
    at: movement.at.toISOString(),
    by: movement.by,
  });
}

/** checkout.created and checkout.returned: `seq` counts both for the asset. */
export function checkoutMessage(
  cause: Cause,
  type: "checkout.created" | "checkout.returned",
  checkout: Checkout,
): Message {
  const { issuedToId = null, conditionOut = null, conditionIn = null } = checkout;
  const common = {
    asset_id: checkout.assetId,
    checkout_id: checkout.id,
    issued_to: { type: checkout.issuedToType, id: issuedToId },
    issued_at: checkout.issuedAt.toISOString(),
    due_at: instant(checkout.dueAt),
  };
  if (type === "checkout.created") return message(cause, type, { ...common, condition_out: conditionOut });
  return message(cause, type, {
    ...common,
    returned_at: instant(checkout.returnedAt),
    returned_late: checkout.returnedLate,
    condition_in: conditionIn,
    needs_inspection: checkout.needsInspection,
  });
}

const typeOfStatus = {
  open: "alert.raised",
  acknowledged: "alert.acknowledged",
  resolved: "alert.resolved",
} as const satisfies Record<Alert["status"], MessageType>;

/** The type of the message and of the event that report an alert's status. */
export function alertType({ status }: Pick<Alert, "status">): (typeof typeOfStatus)[Alert["status"]] {
  return typeOfStatus[status];
}

type ReportedAlert = Pick<
  Alert,
  | "id"
  | "workspaceId"
  | "ruleId"
  | "status"
  | "subject"
  | "assetId"
  | "zoneId"
  | "readerId"
  | "clone"
  | "count"
  | "rev"
> &
  Pick<Alert, "firstAt" | "lastAt" | "acknowledgedAt" | "resolvedAt">;

/** alert.raised, alert.acknowledged and alert.resolved: `seq` counts the changes of the alert. */
export function alertMessage(alert: ReportedAlert, time: Date): Message {
  const { id, workspaceId, rev, assetId = null, zoneId = null, readerId = null } = alert;
  return message({ workspaceId, id: `${id}:${rev}`, sequence: rev, time }, alertType(alert), {
    alert_id: id,
    rule_id: alert.ruleId,
    status: alert.status,
    subject: alert.subject,
    asset_id: assetId,
    zone_id: zoneId,
    reader_id: readerId,
    clone: cloneData(alert.clone),
    count: alert.count,
    first_at: instant(alert.firstAt),
    last_at: instant(alert.lastAt),
    acknowledged_at: instant(alert.acknowledgedAt),
    resolved_at: instant(alert.resolvedAt),
  });
}

function cloneData(clone: Clone | undefined) {
  if (clone === undefined) return null;
  const reads = clone.reads.map(({ readerId, zoneId, locationId, propertyId, at, rssi, eventId }) => ({
    ...{ reader_id: readerId, zone_id: zoneId ?? null, location_id: locationId, property_id: propertyId },
    ...{ at: at.toISOString(), rssi: rssi ?? null, event_id: eventId },
  }));
  return { reads, travel_seconds: clone.travelSeconds };
}

/**
 * reader.online and reader.offline: `seq` is the time when it was heard, as on the topic of its liveness. Offline is 1 ms
 * after it. A reader that was heard at another time has another message.
 */
export function readerMessage(
  type: "reader.online" | "reader.offline",
  reader: SilentReader,
  time: Date,
): Message {
  const { id, workspaceId, zoneId, lastSeenAt } = reader;
  const at = lastSeenAt.toISOString();
  const sequence = lastSeenAt.getTime() + (type === "reader.offline" ? 1 : 0);
  const data = { reader_id: id, zone_id: zoneId ?? null, last_seen_at: at };
  return message({ workspaceId, id: `${id}:${at}`, sequence, time }, type, data);
}

type SilentReader = { id: string; workspaceId: string; zoneId?: string | undefined; lastSeenAt: Date };

/** webhook.test: what a subscription gets when it asks for a test. `id` identifies the test. */
export function testMessage(workspaceId: string, webhookId: string, id: string, time: Date): Message {
  return { workspaceId, type: TEST_TYPE, cause: id, time, data: { webhook_id: webhookId } };
}

/** Alerts of a rule that were raised in one minute and not reported one by one. */
export type DigestOfAlerts = {
  id: string;
  workspaceId: string;
  ruleId: string;
  count: number;
  firstAt: Date;
  lastAt: Date;
  alertIds: string[];
};

/** alert.digest: it has no `seq`, since it orders nothing. */
export function digestMessage(digest: DigestOfAlerts, time: Date): Message {
  const { id, workspaceId, ruleId, count, firstAt, lastAt, alertIds } = digest;
  const data = {
    rule_id: ruleId,
    count,
    first_at: instant(firstAt),
    last_at: instant(lastAt),
    alert_ids: alertIds,
  };
  return { workspaceId, type: DIGEST_TYPE, cause: id, time, data };
}

const instant = (at: Date | undefined): string | null => at?.toISOString() ?? null;

/** A message with the sequence of its topic, before what its type has. */
export function message(cause: Cause, type: MessageType, data: Record<string, unknown>): Message {
  const { workspaceId, id, sequence, time, publishedAt } = cause;
  return { workspaceId, type, cause: id, time, publishedAt, data: { seq: sequence, ...data } };
}
