import type { Outcome } from "./presence.ts";

/** The tag that an outcome is about. */
export type SightedTag = {
  workspaceId: string;
  epc: string;
  tagId?: string | undefined;
  assetId?: string | undefined;
};

/** An outcome with its tag and asset, to be published. */
export type Sighting = Omit<Outcome, "change"> & SightedTag & { change: Outcome["change"] | "unknown_tag" };

/**
 * The sighting of an outcome. A tag without an asset is reported as unknown, wherever it is. That it left is not
 * reported.
 */
export function toSighting(outcome: Outcome, tag: SightedTag): Sighting | undefined {
  if (tag.assetId !== undefined) return { ...outcome, ...tag };
  return outcome.change === "left" ? undefined : { ...outcome, ...tag, change: "unknown_tag" };
}

/** The subject that sightings are ordered by: the asset, or the code of an unknown tag. */
export function sightingSubject({ assetId, epc }: Pick<Sighting, "assetId" | "epc">): string {
  return assetId ?? epc;
}
