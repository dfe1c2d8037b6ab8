import { act as auditAct } from "@asset-register/audit";
import type { OutgoingEvent } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import type { Asset } from "./domain/asset.ts";
import { type Checkout, viewAt } from "./domain/checkout.ts";
import type { Movement } from "./domain/movement.ts";
import type { OrganisationKind, OrganisationRecord } from "./domain/organisation.ts";
import type { StatusClass } from "./domain/status.ts";
import { encodeAssetState, encodeStatusClass } from "./encode/asset.ts";
import { encodeCheckout } from "./encode/checkout.ts";
import { encodeMovement } from "./encode/movement.ts";
import { encodeRecord } from "./encode/organisation.ts";

/** Topics of the outbox. */
export const published = [topics.asset, topics.movement, topics.checkout, topics.organisation, topics.audit];

/** What the register publishes. */
export type PublishedSchema = (typeof topics)["asset" | "movement" | "checkout" | "organisation"]["schema"];

type EventOf<T extends keyof typeof topics> = OutgoingEvent<(typeof topics)[T]["schema"]>;

/** `asset`: complete but for what is only observed. */
export function assetCreated(asset: Asset, statusClass: StatusClass): EventOf<"asset"> {
  return assetEvent("asset.created", asset, statusClass, { case: "created", value: {} });
}

export function assetUpdated(asset: Asset, statusClass: StatusClass, fields: string[]): EventOf<"asset"> {
  return assetEvent("asset.updated", asset, statusClass, { case: "updated", value: { fields } });
}

/** The state alone, for who lost it: `change` is the last that a consumer may have missed. */
export function assetState(asset: Asset, statusClass: StatusClass): EventOf<"asset"> {
  return assetEvent("asset.republished", asset, statusClass, { case: lastChange(asset), value: {} });
}

function lastChange({ deletedAt, disposedAt }: Asset): "deleted" | "disposed" | "updated" {
  if (deletedAt) return "deleted";
  return disposedAt ? "disposed" : "updated";
}

type AssetChange = NonNullable<EventOf<"asset">["message"]>["change"];

function assetEvent(
  type: string,
  asset: Asset,
  statusClass: StatusClass,
  change: AssetChange,
): EventOf<"asset"> {
  return {
    topic: topics.asset,
    workspaceId: asset.workspaceId,
    subject: asset.id,
    sequence: asset.rev,
    type,
    message: { state: encodeAssetState(asset), statusClass: encodeStatusClass(statusClass), change },
    time: asset.updatedAt,
  };
}

/** `movement`: one per row, numbered per asset. */
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

/** `checkout`: issued and returned, numbered per asset. */
export function checkoutChanged(checkout: Checkout, sequence: number, time: Date): EventOf<"checkout"> {
  const change = checkout.status === "open" ? "created" : "returned";
  return {
    topic: topics.checkout,
    workspaceId: checkout.workspaceId,
    subject: checkout.assetId,
    sequence,
    type: `checkout.${change}`,
    message: { state: encodeCheckout(viewAt(checkout, time)), change: { case: change, value: {} } },
    time,
  };
}

/** What the audit log is told. */
export const act = auditAct<`${OrganisationKind}.created`>;

/** `organisation`: every record of the seven collections, complete. */
export function recordCreated(record: OrganisationRecord): EventOf<"organisation"> {
  return recordEvent("organisation.created", record, { case: "created", value: {} });
}

export function recordState(record: OrganisationRecord): EventOf<"organisation"> {
  const change: RecordChange = record.deletedAt
    ? { case: "deleted", value: {} }
    : { case: "updated", value: {} };
  return recordEvent("organisation.republished", record, change);
}

type RecordChange = NonNullable<EventOf<"organisation">["message"]>["change"];

function recordEvent(
  type: string,
  record: OrganisationRecord,
  change: RecordChange,
): EventOf<"organisation"> {
  return {
    topic: topics.organisation,
    workspaceId: record.workspaceId,
    subject: record.id,
    sequence: record.rev,
    type,
    message: { state: encodeRecord(record), change },
    time: record.updatedAt,
  };
}
