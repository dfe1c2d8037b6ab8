import type { Call } from "@asset-register/rpc";
import { changesTo, notFound, requireFound, requireRev } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { Reader, ReaderChange } from "../../domain/readers/reader.ts";
import { auditEntry, readerUpdated, zoneUpdated } from "../../published.ts";
import { readerRevoked } from "../zones/move-readers.ts";
import type { ReaderAtRev } from "./change-reader-secrets.ts";

export type UpdateReader = ReaderAtRev & { change: ReaderChange };

/** Changes a reader. If it gets another zone, both zones change with it. */
export async function updateReader(context: Context, input: UpdateReader, call: Call): Promise<Reader> {
  const { mongo, stores, clients, outbox } = context;
  const { workspaceId } = call;
  const { id, change, ifRevIn } = input;
  const { zoneId, locationId } = change;
  if (locationId && !(await clients.existingLocations([locationId], call)).has(locationId)) {
    throw notFound("location", "location_id");
  }
  const at = context.now();
  return mongo.transaction(call, async (session) => {
    const before = requireFound(await stores.readers.get(workspaceId, id, session), "reader");
    if (zoneId) requireFound(await stores.zones.get(workspaceId, zoneId, session), "zone", "zone_id");
    requireRev(before.rev, ifRevIn);
    if (before.status === "revoked") throw readerRevoked();
    const after = { ...before, ...change } as typeof before;
    const changes = changesTo(before, change);
    if (changes.length === 0) return before;
    const reader = { ...after, rev: before.rev + 1, sequence: before.sequence + 1 };
    await stores.readers.save(workspaceId, reader, before.rev, session);
    const events = [readerUpdated(reader, at), auditEntry(call, at, "reader.updated", id, changes)];
    await outbox.add(session, ...events);
    if (after.zoneId !== before.zoneId) {
      const left = await stores.zones.removeReaders(workspaceId, [id], after.zoneId, session);
      const entered = zoneId ? await stores.zones.addReader(workspaceId, zoneId, id, session) : [];
      await outbox.add(session, ...[...left, ...entered].map((zone) => zoneUpdated(zone, at)));
    }
    return reader;
  });
}
