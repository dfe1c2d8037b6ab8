import { auditEvent } from "@asset-register/audit";
import { type OutgoingEvent, recordEvent } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import { type Actor, encodeActor } from "@asset-register/rpc";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type Sighting, sightingSubject } from "./domain/presence/sighting.ts";
import type { Reader } from "./domain/readers/reader.ts";
import type { Tag } from "./domain/tags/tag.ts";
import type { Zone } from "./domain/zones/zone.ts";
import { encodeHealth, encodeReader } from "./encode/reader.ts";
import { encodeSighting } from "./encode/sighting.ts";
import { encodeTag } from "./encode/tag.ts";
import { encodeZone } from "./encode/zone.ts";
import type { Liveness } from "./store/readers/reader-liveness.ts";

/** Topics of the outbox. */
export const published = [
  topics.reader,
  topics.readerLiveness,
  topics.zone,
  topics.tag,
  topics.sighting,
  topics.audit,
];

type EventOf<T extends keyof typeof topics> = OutgoingEvent<(typeof topics)[T]["schema"]>;

/** The entries of the audit log. */
export const auditEntry = auditEvent<
  | "agent.created"
  | "agent.updated"
  | "agent.enrolled"
  | "agent.deleted"
  | "reader.created"
  | "reader.updated"
  | "reader.secret_rotated"
  | "reader.revoked"
  | "zone.created"
  | "zone.updated"
  | "zone.deleted"
  | "zone.locations_changed"
  | "reader_settings.updated"
>;

export const readerCreated = (reader: Reader): EventOf<"reader"> =>
  readerEvent(reader, "created", reader.createdAt);
export const readerUpdated = (reader: Reader, time: Date): EventOf<"reader"> =>
  readerEvent(reader, "updated", time);
export const readerRevoked = (reader: Reader, time: Date): EventOf<"reader"> =>
  readerEvent(reader, "revoked", time);

/** A reader was heard at `at`, and how well it is. */
export function readerLiveness(liveness: Liveness): EventOf<"readerLiveness"> {
  const { workspaceId, readerId, at, sequence, health } = liveness;
  return {
    topic: topics.readerLiveness,
    workspaceId,
    subject: readerId,
    sequence,
    type: "reader-liveness.heard",
    message: {
      readerId,
      lastSeenAt: timestampFromDate(at),
      health: encodeHealth(health),
      change: { case: "heard", value: {} },
    },
    time: at,
  };
}

/** The present state, for `events republish`. */
export const readerState = (reader: Reader, time: Date): EventOf<"reader"> =>
  readerEvent(reader, reader.status === "revoked" ? "revoked" : "updated", time);

/** The sequence is not the rev: until liveness got its own topic, it counted that too. */
function readerEvent(
  reader: Reader,
  change: "created" | "updated" | "revoked",
  time: Date,
): EventOf<"reader"> {
  const message = { state: encodeReader(reader), change: { case: change, value: {} } };
  return recordEvent(
    topics.reader,
    { ...reader, rev: reader.sequence },
    { type: `reader.${change}`, message, time },
  );
}

export const zoneCreated = (zone: Zone): EventOf<"zone"> => zoneEvent(zone, "created", zone.createdAt);
/** Also the present state, for `events republish`. */
export const zoneUpdated = (zone: Zone, time: Date): EventOf<"zone"> => zoneEvent(zone, "updated", time);
/** A state of its own, after the last one that was stored. */
export const zoneDeleted = (zone: Zone, time: Date): EventOf<"zone"> =>
  zoneEvent({ ...zone, rev: zone.rev + 1, deletedAt: time }, "deleted", time);

function zoneEvent(
  zone: Zone & { deletedAt?: Date },
  change: "created" | "updated" | "deleted",
  time: Date,
): EventOf<"zone"> {
  const message = { state: encodeZone(zone), change: { case: change, value: {} } };
  return recordEvent(topics.zone, zone, { type: `zone.${change}`, message, time });
}

/** The actor, the request and the reason of a change of a tag. */
type Cause = { actor: Actor; requestId?: string; note?: string | undefined };

const encodeCause = (cause?: Cause) =>
  cause && { actor: encodeActor(cause.actor), requestId: cause.requestId, note: cause.note };

export function tagCommissioned(tag: Tag, time: Date, cause?: Cause): EventOf<"tag"> {
  const change = { case: "commissioned", value: {} } as const;
  const message = { state: encodeTag(tag), change, ...encodeCause(cause) };
  return recordEvent(topics.tag, tag, { type: "tag.commissioned", message, time });
}

/** `assetId` is the asset that the tag was on. */
export function tagDecommissioned(
  tag: Tag,
  assetId: string | undefined,
  time: Date,
  cause?: Cause,
): EventOf<"tag"> {
  const change = { case: "decommissioned", value: { assetId } } as const;
  const message = { state: encodeTag(tag), change, ...encodeCause(cause) };
  return recordEvent(topics.tag, tag, { type: "tag.decommissioned", message, time });
}

/** The present state, for `events republish`. */
export const tagState = (tag: Tag, time: Date): EventOf<"tag"> =>
  tag.assetId === undefined ? tagDecommissioned(tag, undefined, time) : tagCommissioned(tag, time);

export function sightingEvent(sighting: Sighting, sequence: number, time: Date): EventOf<"sighting"> {
  return {
    topic: topics.sighting,
    workspaceId: sighting.workspaceId,
    subject: sightingSubject(sighting),
    sequence,
    type: `sighting.${sighting.change}`,
    message: encodeSighting(sighting),
    time,
  };
}
