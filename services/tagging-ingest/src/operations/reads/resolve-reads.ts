import type { Context } from "../../context.ts";
import type { AcceptedEvent } from "../../domain/accepted-event.ts";
import { effectiveTime } from "../../domain/effective-time.ts";
import type { Reader } from "../../domain/reader.ts";
import type { Reading } from "../../domain/reading.ts";
import type { SightedTag } from "../../domain/sighting.ts";
import type { Zone } from "../../domain/zone.ts";
import { type DueTag, presenceKey } from "../../store/presences.ts";

/** What is known about the tags and readers of some reads. */
export type Resolved = {
  reading(event: AcceptedEvent): Reading;
  tag(workspaceId: string, epc: string): SightedTag;
};

type Wanted = { epcs: Set<string>; readerIds: Set<string> };

/** Looks up tags, readers and zones together: a few queries for each workspace, for any number of reads. */
export async function resolveReads(
  { stores }: Context,
  events: readonly AcceptedEvent[],
  due: readonly DueTag[],
): Promise<Resolved> {
  const sighted = new Map<string, SightedTag>();
  const readers = new Map<string, Reader>();
  const zones = new Map<string, Zone>();

  async function lookUp(workspaceId: string, { epcs, readerIds }: Wanted): Promise<void> {
    const [known, tags] = await Promise.all([
      stores.readers.getMany(workspaceId, [...readerIds]),
      stores.tags.resolve(workspaceId, [...epcs]),
    ]);
    for (const reader of known) readers.set(reader.id, reader);
    for (const [epc, { id, assetId }] of tags) {
      sighted.set(presenceKey({ workspaceId, epc }), { workspaceId, epc, tagId: id, assetId });
    }
    const zoneIds = new Set(known.flatMap(({ zoneId, locationId }) => (locationId ? [] : (zoneId ?? []))));
    for (const zone of await stores.zones.getMany(workspaceId, [...zoneIds])) zones.set(zone.id, zone);
  }

  const wanted = wantedOf(events, due);
  await Promise.all([...wanted].map(([workspaceId, own]) => lookUp(workspaceId, own)));
  return {
    reading: (event) => toReading(event, readers.get(event.readerId), zones),
    tag: (workspaceId, epc) => sighted.get(presenceKey({ workspaceId, epc })) ?? { workspaceId, epc },
  };
}

function wantedOf(events: readonly AcceptedEvent[], due: readonly DueTag[]): Map<string, Wanted> {
  const wanted = new Map<string, Wanted>();
  const want = (workspaceId: string): Wanted => {
    const held = wanted.get(workspaceId) ?? { epcs: new Set(), readerIds: new Set() };
    wanted.set(workspaceId, held);
    return held;
  };
  for (const { workspaceId, epc, readerId } of events) {
    const { epcs, readerIds } = want(workspaceId);
    epcs.add(epc);
    readerIds.add(readerId);
  }
  for (const { workspaceId, epc } of due) want(workspaceId).epcs.add(epc);
  return wanted;
}

function toReading(event: AcceptedEvent, reader: Reader | undefined, zones: Map<string, Zone>): Reading {
  const { id, readerId, receivedAt, count, rssi } = event;
  const zoneId = reader?.zoneId;
  return {
    eventId: id,
    readerId,
    fixed: reader?.kind === "fixed_portal",
    zoneId,
    locationId: reader?.locationId ?? (zoneId ? onlyLocation(zones.get(zoneId)) : undefined),
    at: effectiveTime(event.ts.ms, receivedAt, reader?.clockSkewMs ?? 0),
    receivedAt,
    count,
    rssi,
    autoMove: reader?.autoMove && reader.kind === "fixed_portal" ? true : undefined,
  };
}

/** When a zone has one location, its readers are there. */
function onlyLocation(zone: Zone | undefined): string | undefined {
  return zone?.locationIds.length === 1 ? zone.locationIds[0] : undefined;
}
