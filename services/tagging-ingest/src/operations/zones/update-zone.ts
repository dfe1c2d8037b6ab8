import type { Call, Patch } from "@asset-register/rpc";
import { changesBetween, invalid, requireFound, requireRev, withDefined } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import {
  compactPresence,
  type PresenceFields,
  presenceViolations,
} from "../../domain/presence/presence-settings.ts";
import { auditedZone, type Zone, type ZoneChange } from "../../domain/zones/zone.ts";
import { auditEntry, readerUpdated, zoneUpdated } from "../../published.ts";
import { moveReadPoints } from "./move-read-points.ts";
import { moveReaders } from "./move-readers.ts";
import { requireAll, requireLocations } from "./require-locations.ts";

export type UpdateZone = {
  id: string;
  change: ZoneChange;
  /** Single fields of `presence`. The others stay as they are, or as `change` has them. */
  inPresence: Patch<PresenceFields>;
  ifRevIn: readonly number[];
};

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
    const presence = presenceAfter({ ...before, ...change }, input.inPresence);
    const fields = withDefined(before, { ...change, readerIds });
    const zone: Zone = { ...fields, presence, rev: before.rev + 1 };
    const changes = changesBetween(auditedZone(before), auditedZone(zone));
    if (changes.length === 0) return before;
    await stores.zones.save(workspaceId, zone, before.rev, session);
    const removed = before.readerIds.filter((id) => !readerIds.includes(id));
    const outside = await stores.readers.assignZone(workspaceId, removed, undefined, session);
    const moved = await moveReaders(context, zone, [...known.values()], at, session);
    moved.push(...(await moveReadPoints(context, zone, before.readPoints ?? [], at, session)));
    await outbox.add(session, zoneUpdated(zone, at), auditEntry(call, at, "zone.updated", zone.id, changes));
    await outbox.add(session, ...outside.map((reader) => readerUpdated(reader, at)), ...moved);
    return zone;
  });
}

/** @throws AppError VALIDATION_FAILED for fields that contradict one another */
function presenceAfter(
  { presence }: Pick<ZoneChange, "presence">,
  change: Patch<PresenceFields>,
): PresenceFields | undefined {
  const after = compactPresence({ ...presence, ...change });
  const violations = presenceViolations(after);
  if (violations.length > 0) throw invalid(violations);
  return after;
}
