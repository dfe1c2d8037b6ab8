import type { Context } from "../../context.ts";

/** A zone or a reader, and its name. */
export type NamedRecord = { id: string; name: string };

/** The names of zones and readers, also of deleted and revoked ones. Unknown ids are left out. */
export async function resolveNames(
  { stores }: Context,
  workspaceId: string,
  ids: readonly string[],
): Promise<NamedRecord[]> {
  const byKind = Map.groupBy(new Set(ids), (id) => (id.startsWith("rdr_") ? "reader" : "zone"));
  const zoneIds = byKind.get("zone") ?? [];
  const [readers, zones, deleted] = await Promise.all([
    stores.readers.names(workspaceId, byKind.get("reader") ?? []),
    stores.zones.getMany(workspaceId, zoneIds),
    stores.deletedZones.getMany(workspaceId, zoneIds),
  ]);
  return [...readers, ...[...zones.values(), ...deleted.values()].map(({ id, name }) => ({ id, name }))];
}
