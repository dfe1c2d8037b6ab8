import { sameKeyEpcs } from "@asset-register/epc";
import { readerDefaults } from "@asset-register/proto/limits";
import type { Context } from "../../context.ts";
import type { AcceptedEvent } from "../../domain/ingest/accepted-event.ts";
import { effectiveTime } from "../../domain/ingest/effective-time.ts";
import type { Reading } from "../../domain/ingest/reading.ts";
import { isAtSeveralProperties, showsClones } from "../../domain/presence/clone.ts";
import type { SightedTag } from "../../domain/presence/sighting.ts";
import { type TakesEpc, takesBy } from "../../domain/readers/read-filters.ts";
import { type PlacedReader, zoneIdsOf } from "../../domain/readers/reader.ts";
import {
  type ReaderSettings,
  type TravelSeconds,
  travelSeconds,
} from "../../domain/readers/reader-settings.ts";
import { isWeak, locationIdsOf, type Spots, spotAt, spotsOf } from "../../domain/readers/spot.ts";
import type { PlacedZone } from "../../domain/zones/zone.ts";
import { presenceKey, type StoredPresence, type TagRef } from "../../store/presence/presences.ts";

/** The tags and readers of a set of reads. */
export type Resolved = {
  reading(event: AcceptedEvent): Reading;
  /** Why the read is not stored: its tag is a reference of the reader, or the filters do not take it. */
  ignoredAs(event: AcceptedEvent): "reference" | "filtered" | undefined;
  /** Whether the read is weaker than its read point allows. */
  isWeak(event: AcceptedEvent): boolean;
  tag(of: TagRef): SightedTag;
  /** Whether the tag is not stored, or as a ghost. */
  mayBeGhost(of: TagRef): boolean;
  /** How many new unknown tags a reader of the workspace may add in an hour. */
  unknownPerHour(of: Pick<TagRef, "workspaceId">): number;
  /** How soon a tag of the workspace may be read at another property. Undefined if no tag looked up needs it. */
  travelSeconds(of: Pick<TagRef, "workspaceId">): TravelSeconds | undefined;
  /** The zones of the readers that exist. */
  zoneIds(): Set<string>;
  /** Looks up further tags. */
  add(tags: readonly StoredPresence[]): Promise<void>;
};

/** Looks up tags, readers and zones together: a few queries for each workspace, for any number of reads. */
export async function resolveReads(
  { stores, properties }: Context,
  events: readonly AcceptedEvent[],
): Promise<Resolved> {
  const sighted = new Map<string, SightedTag>();
  const ghosts = new Set<string>();
  const readers = new Map<string, SpottedReader>();
  const zones = new Map<string, PlacedZone>();
  const settingsOf = new Map<string, ReaderSettings & { travelSeconds: TravelSeconds }>();

  async function addTags(tags: readonly TagRef[]): Promise<void> {
    for (const [workspaceId, own] of Map.groupBy(tags, (tag) => tag.workspaceId)) {
      const epcs = new Set(own.map(({ epc }) => epc));
      for (const [epc, { id, assetId, ghost }] of await stores.tags.resolve(workspaceId, [...epcs])) {
        const key = presenceKey({ workspaceId, epc });
        sighted.set(key, { workspaceId, epc, tagId: id, assetId });
        if (ghost) ghosts.add(key);
      }
    }
  }

  function addSettings(settings: ReaderSettings): void {
    settingsOf.set(settings.workspaceId, { ...settings, travelSeconds: travelSeconds(settings.travel) });
  }

  /** For waiting reads that may show a clone. Few tags have such. */
  async function addTravels(tags: readonly StoredPresence[]): Promise<void> {
    const asked = tags.filter(
      ({ workspaceId, state }) => !settingsOf.has(workspaceId) && isAtSeveralProperties(state),
    );
    for (const workspaceId of new Set(asked.map((tag) => tag.workspaceId))) {
      addSettings(await stores.readerSettings.get(workspaceId));
    }
  }

  async function addReaders(workspaceId: string, own: readonly AcceptedEvent[]): Promise<void> {
    const ids = new Set(own.map(({ readerId }) => readerId));
    const [known, settings] = await Promise.all([
      stores.readers.getPlaces(workspaceId, [...ids]),
      stores.readerSettings.get(workspaceId),
    ]);
    addSettings(settings);
    const { presence, filters } = settings;
    const zoneIds = new Set(known.flatMap(zoneIdsOf));
    for (const zone of await stores.zones.getPlaces(workspaceId, [...zoneIds])) zones.set(zone.id, zone);
    const spotted = known.map((reader) => ({ ...reader, spots: spotsOf(reader, { zones, presence }) }));
    const locationIds = spotted.filter(showsClones).flatMap(({ spots }) => locationIdsOf(spots));
    const propertyOf = await properties.ofLocations(workspaceId, new Set(locationIds));
    for (const reader of spotted) {
      const takes = takesBy([...(reader.filters ?? []), ...filters]);
      const references = referencesOf(reader);
      readers.set(reader.id, {
        ...reader,
        takes,
        references,
        propertyOf: showsClones(reader) ? propertyOf : undefined,
      });
    }
  }

  const workspaces = Map.groupBy(events, (event) => event.workspaceId);
  await Promise.all([addTags(events), ...[...workspaces].map(([id, own]) => addReaders(id, own))]);
  return {
    reading: (event) => toReading(event, readers.get(event.readerId)),
    ignoredAs({ readerId, epc }) {
      const reader = readers.get(readerId);
      if (reader?.references?.has(epc)) return "reference";
      return (reader?.takes?.(epc) ?? true) ? undefined : "filtered";
    },
    isWeak({ readerId, antenna, rssi }) {
      const spots = readers.get(readerId)?.spots;
      return spots !== undefined && isWeak(spotAt(spots, antenna), rssi);
    },
    tag: ({ workspaceId, epc }) => sighted.get(presenceKey({ workspaceId, epc })) ?? { workspaceId, epc },
    mayBeGhost(tag) {
      const key = presenceKey(tag);
      return ghosts.has(key) || !sighted.has(key);
    },
    unknownPerHour: ({ workspaceId }) =>
      settingsOf.get(workspaceId)?.unknownPerHour ?? readerDefaults.unknownPerHour,
    travelSeconds: ({ workspaceId }) => settingsOf.get(workspaceId)?.travelSeconds,
    zoneIds: () => new Set(zones.keys()),
    async add(tags) {
      await addTags(tags.filter((tag) => !sighted.has(presenceKey(tag))));
      await addTravels(tags);
    },
  };
}

type SpottedReader = PlacedReader & {
  spots: Spots;
  takes: TakesEpc | undefined;
  references: ReadonlySet<string> | undefined;
  /** The properties of its locations, by their ids. Absent when its reads show no clones. */
  propertyOf: ReadonlyMap<string, string> | undefined;
};

/** The codes of the reference tags of a reader, with any filter bits: the hot path looks them up. */
function referencesOf({ referenceEpcs = [] }: PlacedReader): ReadonlySet<string> | undefined {
  return referenceEpcs.length === 0 ? undefined : new Set(referenceEpcs.flatMap(sameKeyEpcs));
}

function toReading(event: AcceptedEvent, reader: SpottedReader | undefined): Reading {
  const { id, readerId, receivedAt, count, rssi } = event;
  const spot = reader && spotAt(reader.spots, event.antenna);
  return {
    eventId: id,
    readerId,
    fixed: reader?.kind === "fixed_portal",
    zoneId: spot?.zoneId,
    locationId: spot?.locationId,
    propertyId: spot?.locationId === undefined ? undefined : reader?.propertyOf?.get(spot.locationId),
    at: event.at ?? effectiveTime(event.ts.ms, receivedAt, reader?.clockSkewMs ?? 0),
    receivedAt,
    count,
    rssi,
    autoMove: reader?.autoMove && reader.kind === "fixed_portal" ? true : undefined,
    settings: spot?.settings,
  };
}
