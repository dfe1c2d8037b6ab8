import type { AcceptedEvent } from "../domain/accepted-event.ts";
import { effectiveTime } from "../domain/effective-time.ts";
import type { Reader } from "../domain/reader.ts";
import type { Reading } from "../domain/reading.ts";
import type { SightedTag } from "../domain/sighting.ts";
import type { Zone } from "../domain/zone.ts";
import { presenceKey } from "../store/presences.ts";
import type { ReaderStore } from "../store/readers.ts";
import type { TagStore } from "../store/tags.ts";
import type { ZoneStore } from "../store/zones.ts";

type Deps = { readers: ReaderStore; zones: ZoneStore; tags: TagStore };

/** What is known of the tags and readers behind some reads. */
export type Resolved = {
  reading(event: AcceptedEvent): Reading;
  tag(workspaceId: string, epc: string): SightedTag;
};

type Wanted = { epcs: Set<string>; readerIds: Set<string> };

export type ResolveReads = ReturnType<typeof resolveReads>;

/** Looks up tags, readers and zones together: a few queries a workspace, however many reads. */
export function resolveReads({ readers, zones, tags }: Deps) {
  return async (
    events: readonly AcceptedEvent[],
    due: readonly { workspaceId: string; epc: string }[],
  ): Promise<Resolved> => {
    const wanted = new Map<string, Wanted>();
    const want = (workspaceId: string) => {
      const held = wanted.get(workspaceId) ?? { epcs: new Set(), readerIds: new Set() };
      wanted.set(workspaceId, held);
      return held;
    };
    for (const { workspaceId, epc, readerId } of events) {
      want(workspaceId).epcs.add(epc);
      want(workspaceId).readerIds.add(readerId);
    }
    for (const { workspaceId, epc } of due) want(workspaceId).epcs.add(epc);

    const found = {
      tags: new Map<string, SightedTag>(),
      readers: new Map<string, Reader>(),
      zones: new Map<string, Zone>(),
    };
    const lookUp = async (workspaceId: string, { epcs, readerIds }: Wanted) => {
      const [known, byEpc] = await Promise.all([
        readers.getMany(workspaceId, [...readerIds]),
        tags.resolve(workspaceId, [...epcs]),
      ]);
      for (const reader of known) found.readers.set(reader.id, reader);
      for (const [epc, { id, assetId }] of byEpc) {
        const bound = assetId === undefined ? {} : { assetId };
        found.tags.set(presenceKey({ workspaceId, epc }), { workspaceId, epc, tagId: id, ...bound });
      }
      const zoneIds = new Set(known.flatMap(({ zoneId, locationId }) => (locationId ? [] : (zoneId ?? []))));
      for (const zone of await zones.getMany(workspaceId, [...zoneIds])) found.zones.set(zone.id, zone);
    };
    await Promise.all([...wanted].map(([workspaceId, parts]) => lookUp(workspaceId, parts)));

    return {
      reading: (event) => toReading(event, found.readers.get(event.readerId), found.zones),
      tag: (workspaceId, epc) => found.tags.get(presenceKey({ workspaceId, epc })) ?? { workspaceId, epc },
    };
  };
}

function toReading(event: AcceptedEvent, reader: Reader | undefined, zones: Map<string, Zone>): Reading {
  const { rssi } = event;
  const zoneId = reader?.zoneId;
  const locationId = reader?.locationId ?? onlyLocation(zoneId === undefined ? undefined : zones.get(zoneId));
  return {
    eventId: event.id,
    readerId: event.readerId,
    fixed: reader?.kind === "fixed_portal",
    at: effectiveTime(event.ts.ms, event.receivedAt, reader?.clockSkewMs ?? 0),
    receivedAt: event.receivedAt,
    count: event.count,
    ...(zoneId === undefined ? {} : { zoneId }),
    ...(locationId === undefined ? {} : { locationId }),
    ...(rssi === undefined ? {} : { rssi }),
  };
}

/** A zone of one location says where its readers are. */
function onlyLocation(zone: Zone | undefined): string | undefined {
  return zone?.locationIds.length === 1 ? zone.locationIds[0] : undefined;
}
