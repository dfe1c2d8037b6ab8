import { ActorKind } from "@asset-register/proto/assetregister/common/v1/actor_pb";
import type { SightingEventSchema } from "@asset-register/proto/assetregister/events/v1/sighting_pb";
import type { AssetSchema } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import {
  type ReaderHealthSchema,
  ReaderKind,
  type ReaderSchema,
  ReaderStatus,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { topics } from "@asset-register/proto/topics";
import { newId } from "@asset-register/runtime";
import type { TestEvent } from "@asset-register/service-harness";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";

/** An asset's movement from one location to another, as the register publishes it. */
export function movementEvent(
  workspaceId: string,
  assetId: string,
  sequence: number,
): TestEvent<typeof topics.movement.schema> {
  const movement = {
    id: newId("mov"),
    assetId,
    fromLocationId: "loc_a",
    toLocationId: "loc_b",
    reason: "transfer",
    at: timestampFromDate(new Date()),
    by: { kind: ActorKind.USER, id: "usr_1" },
  };
  return {
    ...{ topic: topics.movement, workspaceId, subject: assetId, sequence, id: newId("msg") },
    type: "asset.moved",
    message: { change: { case: "moved", value: { movement } } },
  };
}

/** An asset, as the register publishes it. */
export function assetEvent(
  workspaceId: string,
  state: MessageInitShape<typeof AssetSchema> & { id: string },
  sequence = 1,
): TestEvent<typeof topics.asset.schema> {
  return {
    ...{ topic: topics.asset, workspaceId, subject: state.id, sequence, type: "asset.updated" },
    message: { state, change: { case: "updated", value: {} } },
  };
}

/** A reader, as tagging-ingest publishes it. */
export function readerEvent(
  workspaceId: string,
  state: MessageInitShape<typeof ReaderSchema> & { id: string },
): TestEvent<typeof topics.reader.schema> {
  const common = { topic: topics.reader, workspaceId, subject: state.id, sequence: 1 };
  const reader = { kind: ReaderKind.FIXED_PORTAL, status: ReaderStatus.ACTIVE, ...state };
  return {
    ...{ ...common, type: "reader.created" },
    message: { state: reader, change: { case: "created", value: {} } },
  };
}

/** A sign of life of a reader, as tagging-ingest publishes it. */
export function livenessEvent(
  workspaceId: string,
  readerId: string,
  at: Date,
  health?: MessageInitShape<typeof ReaderHealthSchema>,
): TestEvent<typeof topics.readerLiveness.schema> {
  return {
    ...{ topic: topics.readerLiveness, workspaceId, subject: readerId, sequence: at.getTime() },
    type: "reader.heard",
    message: { readerId, lastSeenAt: timestampFromDate(at), health, change: { case: "heard", value: {} } },
  };
}

/** A new zone, as tagging-ingest publishes it. */
export function zoneEvent(
  workspaceId: string,
  zoneId: string,
  locationIds: string[] = [],
): TestEvent<typeof topics.zone.schema> {
  return {
    ...{ topic: topics.zone, workspaceId, subject: zoneId, sequence: 1, type: "zone.created" },
    message: { state: { id: zoneId, name: "Gate", locationIds }, change: { case: "created", value: {} } },
  };
}

export type Read = {
  workspaceId: string;
  sequence: number;
  assetId?: string;
  epc?: string;
  zoneId?: string;
  at?: Date;
  receivedAt?: Date;
  change: NonNullable<MessageInitShape<typeof SightingEventSchema>["change"]>;
};

/** A sighting, as tagging-ingest publishes it. */
export function sightingEvent(read: Read): TestEvent<typeof topics.sighting.schema> {
  const { workspaceId, sequence, assetId, epc = "E1", zoneId, change } = read;
  const { at = new Date(), receivedAt = new Date() } = read;
  const sighting = {
    ...{ epc, assetId, zoneId, readerId: "rdr_1", eventId: newId("evt") },
    at: timestampFromDate(at),
    receivedAt: timestampFromDate(receivedAt),
  };
  return {
    ...{ topic: topics.sighting, workspaceId, subject: assetId ?? epc, sequence },
    type: `sighting.${change.case}`,
    message: { sighting, change },
  };
}
