import type { LastSeen } from "../assets/asset.ts";

export type Sighting = LastSeen & { workspaceId: string; assetId: string };

/** The newest sighting of each asset; of two of the same instant the first. */
export function newestOfEach(sightings: readonly Sighting[]): Sighting[] {
  const newest = new Map<string, Sighting>();
  for (const sighting of sightings) {
    const key = `${sighting.workspaceId}:${sighting.assetId}`;
    const known = newest.get(key);
    if (!known || known.at < sighting.at) newest.set(key, sighting);
  }
  return [...newest.values()];
}
