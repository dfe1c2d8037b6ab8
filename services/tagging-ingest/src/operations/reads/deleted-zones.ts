import type { ClientSession } from "@asset-register/mongo";
import type { Context } from "../../context.ts";
import { zonesOf } from "../../domain/presence/presence.ts";
import type { StoredPresence } from "../../store/presence/presences.ts";

/**
 * The zones of these tags that were deleted since. `known` are zones that exist. A deletion does not change presences:
 * there may be 100,000 in one zone.
 */
export async function deletedZones(
  { stores }: Context,
  presences: Iterable<StoredPresence>,
  known: ReadonlySet<string>,
  session: ClientSession,
): Promise<Set<string>> {
  const asked = new Map<string, Set<string>>();
  for (const { workspaceId, state } of presences) {
    for (const zoneId of zonesOf(state)) {
      if (known.has(zoneId)) continue;
      asked.set(workspaceId, (asked.get(workspaceId) ?? new Set()).add(zoneId));
    }
  }
  const deleted = new Set<string>();
  for (const [workspaceId, ids] of asked) {
    const existing = new Set(await stores.zones.existing(workspaceId, [...ids], session));
    for (const id of ids) if (!existing.has(id)) deleted.add(id);
  }
  return deleted;
}
