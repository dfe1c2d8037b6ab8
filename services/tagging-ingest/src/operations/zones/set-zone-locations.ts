import type { Outbox } from "@asset-register/events";
import type { Mongo } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { changesBetween, notFound, precondition, requireRev } from "@asset-register/runtime";
import type { Register } from "../clients.ts";
import type { Zone } from "../domain/zone.ts";
import { auditEntry, zoneEvent } from "../published.ts";
import type { ZoneStore } from "../store/zones.ts";
import { knownLocations } from "./create-zone.ts";

type Deps = { mongo: Mongo; outbox: Outbox; register: Register; zones: ZoneStore };

export type SetZoneLocations = { id: string; locationIds: string[]; ifRevIn: readonly number[] };

/** Replaces the locations of a zone. */
export function setZoneLocations({ mongo, outbox, register, zones }: Deps) {
  return async (input: SetZoneLocations, call: Call): Promise<Zone> => {
    const { workspaceId } = call;
    const now = new Date();
    const { id, ifRevIn } = input;
    const locationIds = await knownLocations(register, input.locationIds, call);
    return mongo.transaction(call, async (session) => {
      const before = await zones.get(workspaceId, id, session);
      if (before === undefined) throw notFound("No such zone.");
      requireRev(before.rev, ifRevIn);
      const zone = await zones.setLocations(workspaceId, before, locationIds, session);
      if (zone === undefined) throw precondition();
      const changes = changesBetween({ location_ids: before.locationIds }, { location_ids: locationIds });
      await outbox.add(
        session,
        zoneEvent(zone, "updated", now),
        auditEntry(call, now, "zone.locations_changed", id, changes),
      );
      return zone;
    });
  };
}
