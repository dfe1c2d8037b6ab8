import type { Call } from "@asset-register/rpc";
import { changesBetween, requireFound, requireRev } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { auditedZone } from "../../domain/zones/zone.ts";
import { auditEntry, readerUpdated, zoneDeleted } from "../../published.ts";
import { moveReadPoints } from "./move-read-points.ts";

export type DeleteZone = { id: string; ifRevIn: readonly number[] };

/** Deletes a zone. Its readers stay, in no zone. */
export async function deleteZone(context: Context, input: DeleteZone, call: Call): Promise<void> {
  const { mongo, stores, outbox } = context;
  const { workspaceId } = call;
  const at = context.now();
  await mongo.transaction(call, async (session) => {
    const zone = requireFound(await stores.zones.get(workspaceId, input.id, session), "zone");
    requireRev(zone.rev, input.ifRevIn);
    await stores.zones.remove(workspaceId, zone, session);
    await stores.deletedZones.add(zone, at, session);
    const outside = await stores.readers.assignZone(workspaceId, zone.readerIds, undefined, session);
    const changes = changesBetween(auditedZone(zone), {});
    await outbox.add(session, zoneDeleted(zone, at), auditEntry(call, at, "zone.deleted", zone.id, changes));
    await outbox.add(session, ...outside.map((reader) => readerUpdated(reader, at)));
    const { readPoints = [] } = zone;
    const emptied = { ...zone, readPoints: [] };
    await outbox.add(session, ...(await moveReadPoints(context, emptied, readPoints, at, session)));
  });
}
