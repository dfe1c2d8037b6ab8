import type { Call } from "@asset-register/rpc";
import { changesBetween, requireFound, requireRev } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { Zone, ZoneChange } from "../../domain/zones/zone.ts";
import { auditEntry, readerUpdated, zoneUpdated } from "../../published.ts";
import { moveReaders } from "./move-readers.ts";
import { requireAll, requireLocations } from "./require-locations.ts";

export type UpdateZone = { id: string; change: ZoneChange; ifRevIn: readonly number[] };

/** Changes a zone. Readers that are named here leave the zone that they were in. */
export async function updateZone(context: Context, input: UpdateZone, call: Call): Promise<Zone> {
  const { mongo, stores, outbox } = context;
  const { workspaceId } = call;
  const change = { ...input.change };
  if (change.locationIds) change.locationIds = await requireLocations(context, change.locationIds, call);
  const at = context.now();
  return mongo.transaction(call, async (session) => {
    const before = requireFound(await stores.zones.get(workspaceId, input.id, session), "zone");
    const wanted = change.readerIds ?? before.readerIds;
    const added = wanted.filter((id) => !before.readerIds.includes(id));
    const known = await stores.readers.getMany(workspaceId, added, session);
    const existing = new Set([...before.readerIds, ...known.keys()]);
    const readerIds = requireAll("reader_ids", wanted, existing);
    requireRev(before.rev, input.ifRevIn);
    const fields = definedFields({ ...before, ...change, readerIds });
    const changes = changesBetween(definedFields(before), fields);
    if (changes.length === 0) return before;
    const zone = { ...before, ...fields, rev: before.rev + 1 };
    await stores.zones.save(workspaceId, zone, before.rev, session);
    const removed = before.readerIds.filter((id) => !readerIds.includes(id));
    const outside = await stores.readers.assignZone(workspaceId, removed, undefined, session);
    const moved = await moveReaders(context, zone, [...known.values()], at, session);
    await outbox.add(session, zoneUpdated(zone, at), auditEntry(call, at, "zone.updated", zone.id, changes));
    await outbox.add(session, ...outside.map((reader) => readerUpdated(reader, at)), ...moved);
    return zone;
  });
}

const definedFields = ({ name = "", locationIds = [], readerIds = [] }: ZoneChange) => ({
  ...{ name, locationIds, readerIds },
});
