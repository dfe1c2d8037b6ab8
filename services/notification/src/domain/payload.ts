import type { Alert } from "./alert.ts";
import type { Message, MessageType } from "./message.ts";

/** A change of an asset's location or custodian. */
export type Move = {
  id: string;
  assetId: string;
  from: { locationId?: string; custodianId?: string };
  to: { locationId?: string; custodianId?: string };
  reason?: string;
  ref?: string;
  at: Date;
  by: { kind: string; id: string };
};

/** An asset that was issued or came back. */
export type Checkout = {
  id: string;
  assetId: string;
  issuedTo: { type: string; id?: string };
  issuedAt: Date;
  dueAt?: Date;
  conditionOut?: string;
  conditionIn?: string;
  returnedAt?: Date;
  returnedLate: boolean;
  needsInspection: boolean;
};

/** What a message carries of the event behind it. */
export type Cause = { workspaceId: string; id: string; sequence: number; time: Date };

/** asset.moved: `seq` counts the asset's movements. */
export function moveMessage(cause: Cause, move: Move): Message {
  return message(cause, "asset.moved", {
    asset_id: move.assetId,
    movement_id: move.id,
    from: { location_id: move.from.locationId ?? null, custodian_id: move.from.custodianId ?? null },
    to: { location_id: move.to.locationId ?? null, custodian_id: move.to.custodianId ?? null },
    reason: move.reason ?? null,
    ref: move.ref ?? null,
    at: move.at.toISOString(),
    by: move.by,
  });
}

/** checkout.created and checkout.returned: `seq` counts both for the asset. */
export function checkoutMessage(
  cause: Cause,
  type: "checkout.created" | "checkout.returned",
  checkout: Checkout,
): Message {
  const common = {
    asset_id: checkout.assetId,
    checkout_id: checkout.id,
    issued_to: { type: checkout.issuedTo.type, id: checkout.issuedTo.id ?? null },
    issued_at: checkout.issuedAt.toISOString(),
    due_at: checkout.dueAt?.toISOString() ?? null,
  };
  if (type === "checkout.created") {
    return message(cause, type, { ...common, condition_out: checkout.conditionOut ?? null });
  }
  return message(cause, type, {
    ...common,
    returned_at: checkout.returnedAt?.toISOString() ?? null,
    returned_late: checkout.returnedLate,
    condition_in: checkout.conditionIn ?? null,
    needs_inspection: checkout.needsInspection,
  });
}

const TYPE_OF_STATUS = {
  open: "alert.raised",
  acknowledged: "alert.acknowledged",
  resolved: "alert.resolved",
} as const satisfies Record<Alert["status"], MessageType>;

/** The type of message, and of event, that tells of an alert's status. */
export function alertType(alert: Pick<Alert, "status">): (typeof TYPE_OF_STATUS)[Alert["status"]] {
  return TYPE_OF_STATUS[alert.status];
}

/** alert.raised, alert.acknowledged and alert.resolved: `seq` counts the changes of the alert. */
export function alertMessage(alert: Alert, time: Date): Message {
  const cause = { workspaceId: alert.workspaceId, id: `${alert.id}:${alert.rev}`, sequence: alert.rev, time };
  return message(cause, alertType(alert), {
    alert_id: alert.id,
    rule_id: alert.ruleId,
    status: alert.status,
    subject: alert.subject,
    asset_id: alert.assetId ?? null,
    zone_id: alert.zoneId ?? null,
    reader_id: alert.readerId ?? null,
    count: alert.count,
    first_at: alert.firstAt.toISOString(),
    last_at: alert.lastAt.toISOString(),
    acknowledged_at: alert.acknowledgedAt?.toISOString() ?? null,
    resolved_at: alert.resolvedAt?.toISOString() ?? null,
  });
}

function message(cause: Cause, type: MessageType, data: Record<string, unknown>): Message {
  return {
    workspaceId: cause.workspaceId,
    type,
    cause: cause.id,
    time: cause.time,
    data: { seq: cause.sequence, ...data },
  };
}
