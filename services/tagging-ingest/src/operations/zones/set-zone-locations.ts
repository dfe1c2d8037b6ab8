import type { Call } from "@asset-register/rpc";
import { changesBetween, requireFound, requireRev } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { Zone } from "../../domain/zones/zone.ts";
import { auditEntry, zoneUpdated } from "../../published.ts";
import { requireLocations } from "./require-locations.ts";

export type SetZoneLocations = { id: string; locationIds: string[]; ifRevIn: readonly number[] };

/** Replaces the locations of a zone. */
export async function setZoneLocations(context: Context, input: SetZoneLocations, call: Call): Promise<Zone> {
  const { mongo, stores, outbox } = context;
  const { workspaceId } = call;
  const locationIds = await requireLocations(context, input.locationIds, call);
  const at = context.now();
  return mongo.transaction(call, async (session) => {
    const before = requireFound(await stores.zones.get(workspaceId, input.id, session), "zone");
    requireRev(before.rev, input.ifRevIn);
    const zone = { ...before, locationIds, rev: before.rev + 1 };
    await stores.zones.save(workspaceId, zone, before.rev, session);
    const changes = changesBetween({ locationIds: before.locationIds }, { locationIds });
    await outbox.add(
      session,
      zoneUpdated(zone, at),
      auditEntry(call, at, "zone.locations_changed", zone.id, changes),
    );
    return zone;
  });
}
