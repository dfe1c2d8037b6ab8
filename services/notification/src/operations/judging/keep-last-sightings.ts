import type { Context } from "../../context.ts";
import type { Sighting } from "../../domain/alerts/sighting.ts";
import type { LastSighting } from "../../store/projections/last-sightings.ts";

/** Keeps when and where each asset was seen last, in one write. */
export async function keepLastSightings(
  { stores }: Context,
  sightings: readonly { workspaceId: string; sighting: Sighting }[],
): Promise<void> {
  const newest = new Map<string, LastSighting>();
  for (const { workspaceId, sighting } of sightings) {
    const { assetId: id, at, zoneId, fromZoneId, readerId, order } = sighting;
    if (id === undefined) continue;
    const key = `${workspaceId} ${id}`;
    const known = newest.get(key);
    // The place of a tag that left is where it was.
    if (!known || known.at <= at) {
      newest.set(key, { id, workspaceId, at, zoneId: zoneId ?? fromZoneId, readerId, order });
    }
  }
  await stores.lastSightings.upsertNewest([...newest.values()]);
}
