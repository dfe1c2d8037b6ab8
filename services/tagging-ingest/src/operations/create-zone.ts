import type { Outbox } from "@asset-register/events";
import type { Mongo } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { newId, notFound } from "@asset-register/runtime";
import type { Register } from "../clients.ts";
import type { Zone } from "../domain/zone.ts";
import { readerEvent, zoneEvent } from "../published.ts";
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
    await requireLocations(register, input.locationIds, call);
    return mongo.transaction(call, async (session) => {
      const known = await readers.getMany(workspaceId, input.readerIds, session);
      if (known.length !== input.readerIds.length) throw notFound("No such reader.", "reader_ids");
      const zone: Zone = { id: newId("zon"), workspaceId, ...input, readerIds: [], createdAt: now, rev: 1 };
      await zones.insert(workspaceId, { ...zone, readerIds: input.readerIds }, session);
      const others: Zone[] = [];
      for (const readerId of input.readerIds) {
        others.push(...(await zones.placeReader(workspaceId, readerId, zone.id, session)));
      }
      const moved = await readers.assignZone(workspaceId, input.readerIds, zone.id, session);
      const made = { ...zone, readerIds: input.readerIds };
      await outbox.add(session, zoneEvent(made, "created", now));
      await outbox.add(session, ...newest(others).map((other) => zoneEvent(other, "updated", now)));
      await outbox.add(session, ...moved.map((reader) => readerEvent(reader, "updated", now)));
      return made;
    });
  };
}

/** Throws not_found unless the register knows each of these locations. */
export async function requireLocations(register: Register, locationIds: string[], call: Call): Promise<void> {
  const existing = await register.locations(locationIds, call);
  if (locationIds.some((id) => !existing.has(id))) throw notFound("No such location.", "location_ids");
}

/** A zone that lost several readers is told once, as it is now. */
function newest(zones: readonly Zone[]): Zone[] {
  return [...new Map(zones.map((zone) => [zone.id, zone])).values()];
}
