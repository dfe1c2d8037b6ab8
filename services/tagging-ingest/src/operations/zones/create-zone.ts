import type { Outbox } from "@asset-register/events";
import type { Mongo } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { changesBetween, newId, unknownReferences } from "@asset-register/runtime";
import type { Register } from "../clients.ts";
import type { Zone } from "../domain/zone.ts";
import { auditEntry, readerEvent, zoneEvent } from "../published.ts";
import type { ReaderStore } from "../store/readers.ts";
import type { ZoneStore } from "../store/zones.ts";

type Deps = { mongo: Mongo; outbox: Outbox; register: Register; readers: ReaderStore; zones: ZoneStore };

/** The new zone's fields. */
export type NewZone = { name: string; locationIds: string[]; readerIds: string[] };

/** Makes a zone; the readers that it names leave the zones that they were in. */
export function createZone({ mongo, outbox, register, readers, zones }: Deps) {
  return async (input: NewZone, call: Call): Promise<Zone> => {
    const { workspaceId } = call;
    const now = new Date();
    const locationIds = await knownLocations(register, input.locationIds, call);
    return mongo.transaction(call, async (session) => {
      const known = await readers.getMany(workspaceId, input.readerIds, session);
      const readerIds = requireAll("reader_ids", input.readerIds, new Set(known.map(({ id }) => id)));
      const { name } = input;
      const zone: Zone = {
        id: newId("zon"),
        workspaceId,
        name,
        locationIds,
        readerIds,
        createdAt: now,
        rev: 1,
      };
      await zones.insert(workspaceId, zone, session);
      const others: Zone[] = [];
      for (const readerId of readerIds) {
        others.push(...(await zones.placeReader(workspaceId, readerId, zone.id, session)));
      }
      const moved = await readers.assignZone(workspaceId, readerIds, zone.id, session);
      const details = changesBetween({}, { name, location_ids: locationIds, reader_ids: readerIds });
      await outbox.add(
        session,
        zoneEvent(zone, "created", now),
        auditEntry(call, now, "zone.created", zone.id, details),
      );
      await outbox.add(session, ...newest(others).map((other) => zoneEvent(other, "updated", now)));
      await outbox.add(session, ...moved.map((reader) => readerEvent(reader, "updated", now)));
      return zone;
    });
  };
}

/** These locations, each once; throws not_found unless the register knows all of them. */
export async function knownLocations(register: Register, ids: string[], call: Call): Promise<string[]> {
  return requireAll("location_ids", ids, await register.locations(ids, call));
}

/** These ids, each once; throws not_found naming the place of each that is not among those that exist. */
function requireAll(field: string, ids: readonly string[], existing: ReadonlySet<string>): string[] {
  const missing = ids.flatMap((id, index) => (existing.has(id) ? [] : `${field}.${index}`));
  if (missing.length > 0) throw unknownReferences(missing);
  return [...new Set(ids)];
}

/** A zone that lost several readers is told once, as it is now. */
function newest(zones: readonly Zone[]): Zone[] {
  return [...new Map(zones.map((zone) => [zone.id, zone])).values()];
}
