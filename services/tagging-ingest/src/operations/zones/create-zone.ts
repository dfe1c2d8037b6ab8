import type { Call } from "@asset-register/rpc";
import { changesBetween, invalid, newId } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { presenceViolations } from "../../domain/presence/presence-settings.ts";
import { auditedZone, type Zone } from "../../domain/zones/zone.ts";
import { auditEntry, zoneCreated } from "../../published.ts";
import { moveReadPoints } from "./move-read-points.ts";
import { moveReaders } from "./move-readers.ts";
import { requireAll, requireLocations } from "./require-locations.ts";

export type CreateZone = Pick<Zone, "name" | "locationIds" | "readerIds" | "presence" | "readPoints">;

/** Creates a zone. Its readers leave the zones that they were in. */
export async function createZone(context: Context, input: CreateZone, call: Call): Promise<Zone> {
  const { mongo, stores, outbox } = context;
  const { workspaceId } = call;
  const violations = presenceViolations(input.presence);
  if (violations.length > 0) throw invalid(violations);
  const locationIds = await requireLocations(context, input.locationIds, call);
  const at = context.now();
  return mongo.transaction(call, async (session) => {
    const known = await stores.readers.getMany(workspaceId, input.readerIds, session);
    const readerIds = requireAll("reader_ids", input.readerIds, new Set(known.keys()));
    const fields = { ...input, locationIds, readerIds };
    const zone: Zone = { ...fields, id: newId("zon"), workspaceId, createdAt: at, rev: 1 };
    await stores.zones.insert(workspaceId, zone, session);
    const moved = await moveReaders(context, zone, [...known.values()], at, session);
    moved.push(...(await moveReadPoints(context, zone, [], at, session)));
    await outbox.add(
      session,
      zoneCreated(zone),
      auditEntry(call, at, "zone.created", zone.id, changesBetween({}, auditedZone(fields))),
    );
    await outbox.add(session, ...moved);
    return zone;
  });
}
