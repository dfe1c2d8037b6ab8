import type { Call } from "@asset-register/rpc";
import { changesTo, requireFound, requireRev } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { auditedReader, type Reader, type ReaderChange, zoneIdsOf } from "../../domain/readers/reader.ts";
import { auditEntry, readerUpdated, zoneUpdated } from "../../published.ts";
import { readerRevoked } from "../zones/move-readers.ts";
import type { ReaderAtRev } from "./change-reader-secrets.ts";
import { requirePlaces, requireZones } from "./require-places.ts";

export type UpdateReader = ReaderAtRev & { change: ReaderChange };

/** Changes a reader. If it gets another zone, both zones change with it. */
export async function updateReader(context: Context, input: UpdateReader, call: Call): Promise<Reader> {
  const { mongo, stores, outbox } = context;
  const { workspaceId } = call;
  const { id, change, ifRevIn } = input;
  const { zoneId } = change;
  await requirePlaces(context, change, call);
  const at = context.now();
  return mongo.transaction(call, async (session) => {
    const before = requireFound(await stores.readers.get(workspaceId, id, session), "reader");
    await requireZones(context, workspaceId, change, session);
    requireRev(before.rev, ifRevIn);
    if (before.status === "revoked") throw readerRevoked();
    const referencesSince = change.referenceEpcs ? at : before.referencesSince;
    const after = { ...before, ...change, referencesSince } as typeof before;
    const changes = changesTo(auditedReader(before), auditedReader(change));
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
    const pointZones = change.antennas === undefined ? [] : [...zoneIdsOf(before), ...zoneIdsOf(after)];
    const pointed = await stores.zones.setReadPoints(workspaceId, reader, pointZones, session);
    await outbox.add(session, ...pointed.map((zone) => zoneUpdated(zone, at)));
    return reader;
  });
}
