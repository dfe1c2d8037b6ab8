import { auditEvent } from "@asset-register/audit";
import { type OutgoingEvent, recordEvent } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import { type Asset, observedFields } from "./domain/asset.ts";
import { type Checkout, withOverdue } from "./domain/checkout.ts";
import type { Movement } from "./domain/movement.ts";
import type { OrganisationKind, OrganisationRecord } from "./domain/organisation.ts";
import type { StatusClass } from "./domain/status.ts";
import { encodeAsset, statusClassNames } from "./encode/asset.ts";
import { encodeCheckout, encodeMovement } from "./encode/custody.ts";
import { encodeRecord } from "./encode/organisation.ts";

/** Topics of the outbox. */
export const published = [topics.asset, topics.movement, topics.checkout, topics.organisation, topics.audit];

/** The schemas of what the register publishes. */
export type PublishedSchema = (typeof topics)["asset" | "movement" | "checkout" | "organisation"]["schema"];

type EventOf<T extends keyof typeof topics> = OutgoingEvent<(typeof topics)[T]["schema"]>;
type ChangeOf<T extends "asset" | "organisation"> = NonNullable<EventOf<T>["message"]>["change"];

/** The entries of the audit log. */
export const auditEntry = auditEvent<`${OrganisationKind}.created`>;

export function assetCreated(asset: Asset, statusClass: StatusClass): EventOf<"asset"> {
  return assetEvent("asset.created", asset, statusClass, { case: "created", value: {} });
}

export function assetUpdated(asset: Asset, statusClass: StatusClass, fields: string[]): EventOf<"asset"> {
  return assetEvent("asset.updated", asset, statusClass, { case: "updated", value: { fields } });
}

/** The present state, for `events republish`. */
export function assetState(asset: Asset, statusClass: StatusClass): EventOf<"asset"> {
  return assetEvent("asset.republished", asset, statusClass, { case: lastChange(asset), value: {} });
}

function lastChange({ deletedAt, disposedAt }: Asset): "deleted" | "disposed" | "updated" {
  if (deletedAt) return "deleted";
  return disposedAt ? "disposed" : "updated";
}

/** The complete asset, without the fields that are only observed. */
function assetEvent(
  type: string,
  asset: Asset,
  statusClass: StatusClass,
  change: ChangeOf<"asset">,
): EventOf<"asset"> {
  const state = { ...asset };
  for (const field of observedFields) delete state[field];
  return recordEvent(topics.asset, asset, {
    type,
    message: { state: encodeAsset(state), statusClass: statusClassNames.encode(statusClass), change },
    time: asset.updatedAt,
  });
}

/** One event for each movement, numbered for each asset. */
export function assetMoved(movement: Movement): EventOf<"movement"> {
  return {
    topic: topics.movement,
    workspaceId: movement.workspaceId,
    subject: movement.assetId,
    sequence: movement.sequence,
    type: "asset.moved",
    message: { change: { case: "moved", value: { movement: encodeMovement(movement) } } },
    time: movement.at,
  };
}

/** One event for each issue and each return, numbered for each asset. */
export function checkoutChanged(checkout: Checkout, sequence: number, time: Date): EventOf<"checkout"> {
  const change = checkout.status === "open" ? "created" : "returned";
  return {
    topic: topics.checkout,
    workspaceId: checkout.workspaceId,
    subject: checkout.assetId,
    sequence,
    type: `checkout.${change}`,
    message: { state: encodeCheckout(withOverdue(checkout, time)), change: { case: change, value: {} } },
    time,
  };
}

export function recordCreated(record: OrganisationRecord): EventOf<"organisation"> {
  return organisationEvent("organisation.created", record, { case: "created", value: {} });
}

/** The present state, for `events republish`. */
export function recordState(record: OrganisationRecord): EventOf<"organisation"> {
  const change = record.deletedAt ? "deleted" : "updated";
  return organisationEvent("organisation.republished", record, { case: change, value: {} });
}

function organisationEvent(
  type: string,
  record: OrganisationRecord,
  change: ChangeOf<"organisation">,
): EventOf<"organisation"> {
  const message = { state: encodeRecord(record), change };
  return recordEvent(topics.organisation, record, { type, message, time: record.updatedAt });
}
