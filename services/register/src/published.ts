import { auditEvent } from "@asset-register/audit";
import { type OutgoingEvent, recordEvent } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import { type Asset, observedFields } from "./domain/assets/asset.ts";
import type { Status } from "./domain/assets/status.ts";
import { type Checkout, withOverdue } from "./domain/custody/checkout.ts";
import type { Movement } from "./domain/custody/movement.ts";
import {
  type OrganisationKind,
  type OrganisationRecord,
  workFields,
} from "./domain/organisation/organisation.ts";
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
export const auditEntry = auditEvent<
  | `${OrganisationKind | "custom_field"}.${"created" | "updated" | "deleted"}`
  | "asset.disposed"
  | "import.started"
  | "register.exported"
>;

export function assetCreated(asset: Asset, status: Status): EventOf<"asset"> {
  return assetEvent("asset.created", asset, status, { case: "created", value: {} });
}

/** `fields` are the names of the changed fields in HTTP. */
export function assetUpdated(asset: Asset, status: Status, fields: string[]): EventOf<"asset"> {
  return assetEvent("asset.updated", asset, status, { case: "updated", value: { fields } });
}

export function assetDisposed(asset: Asset, status: Status): EventOf<"asset"> {
  return assetEvent("asset.disposed", asset, status, { case: "disposed", value: {} });
}

export function assetDeleted(asset: Asset, status: Status): EventOf<"asset"> {
  return assetEvent("asset.deleted", asset, status, { case: "deleted", value: {} });
}

/** The present state, for `events republish`. */
export function assetState(asset: Asset, status: Status): EventOf<"asset"> {
  return assetEvent("asset.republished", asset, status, { case: lastChange(asset), value: {} });
}

function lastChange({ deletedAt, disposed }: Asset): "deleted" | "disposed" | "updated" {
  if (deletedAt) return "deleted";
  return disposed ? "disposed" : "updated";
}

/** The complete asset, without the fields that are only observed. */
function assetEvent(type: string, asset: Asset, status: Status, change: ChangeOf<"asset">): EventOf<"asset"> {
  const state = { ...asset };
  for (const field of observedFields) delete state[field];
  return recordEvent(topics.asset, asset, {
    type,
    message: {
      state: encodeAsset(state),
      statusClass: statusClassNames.encode(status.class),
      statusKey: status.key,
      change,
    },
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

export function recordUpdated(record: OrganisationRecord): EventOf<"organisation"> {
  return organisationEvent("organisation.updated", record, { case: "updated", value: {} });
}

export function recordDeleted(record: OrganisationRecord): EventOf<"organisation"> {
  return organisationEvent("organisation.deleted", record, { case: "deleted", value: {} });
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
  const state = { ...record };
  for (const field of workFields) delete state[field];
  const message = { state: encodeRecord(state), change };
  return recordEvent(topics.organisation, record, { type, message, time: record.updatedAt });
}
