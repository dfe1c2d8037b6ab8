import type { Context } from "../../context.ts";
import type { AcceptedEvent } from "../../domain/ingest/accepted-event.ts";
import { effectiveTime } from "../../domain/ingest/effective-time.ts";
import type { Reading } from "../../domain/ingest/reading.ts";
import type { SightedTag } from "../../domain/presence/sighting.ts";
import type { PlacedReader } from "../../domain/readers/reader.ts";
import type { Zone } from "../../domain/zones/zone.ts";
import { presenceKey, type TagRef } from "../../store/presence/presences.ts";

/** The tags and readers of a set of reads. */
export type Resolved = {
  reading(event: AcceptedEvent): Reading;
  tag(of: TagRef): SightedTag;
  /** The zones of the readers: they exist. */
  zoneIds(): Set<string>;
  /** Looks up further tags. */
  add(tags: readonly TagRef[]): Promise<void>;
};

/** Looks up tags, readers and zones together: a few queries for each workspace, for any number of reads. */
export async function resolveReads({ stores }: Context, events: readonly AcceptedEvent[]): Promise<Resolved> {
  const sighted = new Map<string, SightedTag>();
  const readers = new Map<string, PlacedReader>();
  const zones = new Map<string, Zone>();

  async function addTags(tags: readonly TagRef[]): Promise<void> {
    for (const [workspaceId, own] of Map.groupBy(tags, (tag) => tag.workspaceId)) {
      const epcs = new Set(own.map(({ epc }) => epc));
      for (const [epc, { id, assetId }] of await stores.tags.resolve(workspaceId, [...epcs])) {
        sighted.set(presenceKey({ workspaceId, epc }), { workspaceId, epc, tagId: id, assetId });
      }
    }
  }

  async function addReaders(workspaceId: string, own: readonly AcceptedEvent[]): Promise<void> {
    const ids = new Set(own.map(({ readerId }) => readerId));
    const known = await stores.readers.getPlaces(workspaceId, [...ids]);
    for (const reader of known) readers.set(reader.id, reader);
    const zoneIds = new Set(known.flatMap(({ zoneId, locationId }) => (locationId ? [] : (zoneId ?? []))));
    for (const [id, zone] of await stores.zones.getMany(workspaceId, [...zoneIds])) zones.set(id, zone);
  }

  const workspaces = Map.groupBy(events, (event) => event.workspaceId);
  await Promise.all([addTags(events), ...[...workspaces].map(([id, own]) => addReaders(id, own))]);
  return {
    reading: (event) => toReading(event, readers.get(event.readerId), zones),
    tag: ({ workspaceId, epc }) => sighted.get(presenceKey({ workspaceId, epc })) ?? { workspaceId, epc },
    zoneIds: () => new Set([...readers.values()].flatMap(({ zoneId }) => zoneId ?? [])),
    add: (tags) => addTags(tags.filter((tag) => !sighted.has(presenceKey(tag)))),
  };
}

function toReading(
  event: AcceptedEvent,
  reader: PlacedReader | undefined,
  zones: Map<string, Zone>,
): Reading {
  const { id, readerId, receivedAt, count, rssi } = event;
  const zoneId = reader?.zoneId;
  return {
    eventId: id,
    readerId,
    fixed: reader?.kind === "fixed_portal",
    zoneId,
    locationId: reader?.locationId ?? (zoneId ? onlyLocation(zones.get(zoneId)) : undefined),
    at: event.at ?? effectiveTime(event.ts.ms, receivedAt, reader?.clockSkewMs ?? 0),
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
