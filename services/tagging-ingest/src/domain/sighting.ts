import type { Outcome } from "./presence.ts";

/** An outcome with the tag and asset that it is about, to be published. */
export type Sighting = Omit<Outcome, "change"> & {
  change: Outcome["change"] | "unknown_tag";
  workspaceId: string;
  epc: string;
  tagId?: string;
  assetId?: string;
};

/** Whom an outcome is about. */
export type SightedTag = { workspaceId: string; epc: string; tagId?: string; assetId?: string };

/**
 * What is told of an outcome: a tag that is bound to nothing is told as
 * unknown, wherever it is, and its leaving says nothing to anybody.
 */
export function toSighting(outcome: Outcome, tag: SightedTag): Sighting | undefined {
  if (tag.assetId !== undefined) return { ...outcome, ...tag };
  return outcome.change === "left" ? undefined : { ...outcome, ...tag, change: "unknown_tag" };
}

/** What sightings are ordered by: the asset, or the code while it is unknown. */
export function sightingSubject({ assetId, epc }: Pick<Sighting, "assetId" | "epc">): string {
  return assetId ?? epc;
}
