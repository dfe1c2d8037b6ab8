import type { Outbox } from "@asset-register/events";
import type { Mongo } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { notFound } from "@asset-register/runtime";
import type { Register } from "../clients.ts";
import type { Zone } from "../domain/zone.ts";
import { zoneEvent } from "../published.ts";
import type { ZoneStore } from "../store/zones.ts";
import { requireLocations } from "./create-zone.ts";

type Deps = { mongo: Mongo; outbox: Outbox; register: Register; zones: ZoneStore };

/** Replaces the locations of a zone. */
export function setZoneLocations({ mongo, outbox, register, zones }: Deps) {
  return async ({ id, locationIds }: { id: string; locationIds: string[] }, call: Call): Promise<Zone> => {
    const now = new Date();
    await requireLocations(register, locationIds, call);
    return mongo.transaction(call, async (session) => {
      const zone = await zones.setLocations(call.workspaceId, id, locationIds, session);
      if (zone === undefined) throw notFound("No such zone.");
      await outbox.add(session, zoneEvent(zone, "updated", now));
      return zone;
    });
  };
}
