import { auditEvent } from "@asset-register/audit";
import type { OutgoingEvent } from "@asset-register/events";
import type { ReaderChangeEventSchema } from "@asset-register/proto/assetregister/events/v1/reader_pb";
import type { SightingEventSchema } from "@asset-register/proto/assetregister/events/v1/sighting_pb";
import type { TagEventSchema } from "@asset-register/proto/assetregister/events/v1/tag_pb";
import type { ZoneEventSchema } from "@asset-register/proto/assetregister/events/v1/zone_pb";
import { topics } from "@asset-register/proto/topics";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Reader } from "./domain/reader.ts";
import { type Sighting, sightingSubject } from "./domain/sighting.ts";
import type { Tag } from "./domain/tag.ts";
import type { Zone } from "./domain/zone.ts";
import { readerMessage, tagMessage, zoneMessage } from "./messages.ts";

/** Topics of the outbox. */
export const published = [topics.reader, topics.zone, topics.tag, topics.sighting, topics.audit];

type ReaderChange = "created" | "updated" | "revoked" | "seen";
type ZoneChange = "created" | "updated";
type SightingChange = NonNullable<MessageInitShape<typeof SightingEventSchema>["change"]>;

type Action =
  | "reader.created"
  | "reader.secret_rotated"
  | "reader.revoked"
  | "zone.created"
  | "zone.locations_changed";

/** What the audit log is told. */
export const auditEntry = auditEvent<Action>;

/** What others are told of a reader. Its sequence counts liveness too, which is no change of its rev. */
export function readerEvent(
  reader: Reader,
  change: ReaderChange,
  time: Date,
): OutgoingEvent<typeof ReaderChangeEventSchema> {
  return {
    topic: topics.reader,
    workspaceId: reader.workspaceId,
    subject: reader.id,
    sequence: reader.sequence,
    type: `reader.${change}`,
    message: { state: readerMessage(reader), change: { case: change, value: {} } },
    time,
  };
}

/** What others are told of a zone. */
export function zoneEvent(zone: Zone, change: ZoneChange, time: Date): OutgoingEvent<typeof ZoneEventSchema> {
  return {
    topic: topics.zone,
    workspaceId: zone.workspaceId,
    subject: zone.id,
    sequence: zone.rev,
    type: `zone.${change}`,
    message: { state: zoneMessage(zone), change: { case: change, value: {} } },
    time,
  };
}

/** What others are told of a tag; `freedFrom` names the asset that it was taken off. */
export function tagEvent(
  tag: Tag,
  freedFrom: string | undefined,
  time: Date,
): OutgoingEvent<typeof TagEventSchema> {
  const freed = freedFrom !== undefined;
  return {
    topic: topics.tag,
    workspaceId: tag.workspaceId,
    subject: tag.id,
    sequence: tag.rev,
    type: freed ? "tag.decommissioned" : "tag.commissioned",
    message: {
      state: tagMessage(tag),
      change: freed
        ? { case: "decommissioned", value: { assetId: freedFrom } }
        : { case: "commissioned", value: {} },
    },
    time,
  };
}

/** What others are told of a tag's reads. */
export function sightingEvent(
  sighting: Sighting,
  sequence: number,
  time: Date,
): OutgoingEvent<typeof SightingEventSchema> {
  const { rssi } = sighting;
  return {
    topic: topics.sighting,
    workspaceId: sighting.workspaceId,
    subject: sightingSubject(sighting),
    sequence,
    type: `sighting.${sighting.change}`,
    message: {
      sighting: {
        epc: sighting.epc,
        assetId: sighting.assetId ?? "",
        tagId: sighting.tagId ?? "",
        readerId: sighting.readerId,
        zoneId: sighting.zoneId ?? "",
        locationId: sighting.locationId ?? "",
        at: timestampFromMs(sighting.at),
        receivedAt: timestampFromMs(sighting.receivedAt),
        eventId: sighting.eventId,
        reads: sighting.reads,
        ...(rssi === undefined ? {} : { rssi }),
      },
      change: sightingChange(sighting),
    },
    time,
  };
}

function sightingChange(sighting: Sighting): SightingChange {
  const { fromZoneId = "", fromLocationId = "", directed } = sighting;
  switch (sighting.change) {
    case "arrived":
      return { case: "arrived", value: { fromZoneId } };
    case "moved":
      return { case: "moved", value: { fromZoneId, fromLocationId, directed } };
    case "left":
      return { case: "left", value: { fromZoneId, fromLocationId } };
    case "seen":
      return { case: "seen", value: {} };
    case "unknown_tag":
      return { case: "unknownTag", value: {} };
  }
}
