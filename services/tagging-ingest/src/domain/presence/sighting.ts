import type { Outcome } from "./presence.ts";

/** The tag that an outcome is about. */
export type SightedTag = {
  workspaceId: string;
  epc: string;
  tagId?: string | undefined;
  assetId?: string | undefined;
};

/** An outcome with its tag and asset, to be published. */
export type Sighting = Omit<Outcome, "change"> &
  SightedTag & {
    change: Outcome["change"] | "unknown_tag";
    /** Where the register moves the asset. */
    autoMoveLocationId?: string | undefined;
  };

/** A sighting with its number among those of its subject. */
export type NumberedSighting = Sighting & { sequence: number };

/**
 * The sighting of an outcome. A tag without an asset is reported as unknown, wherever it is, or as cloned. That it left
 * is not reported.
 */
export function toSighting(outcome: Outcome, tag: SightedTag): Sighting | undefined {
  if (outcome.change === "cloned") return { ...outcome, ...tag };
  if (tag.assetId !== undefined) {
    // The reader's own location, or the only one of its zone.
    const autoMoveLocationId = outcome.autoMove ? outcome.locationId : undefined;
    return { ...outcome, ...tag, autoMoveLocationId };
  }
  return outcome.change === "left" ? undefined : { ...outcome, ...tag, change: "unknown_tag" };
}

/** Whether the asset should move, but the reader has no location and its zone none or several. */
export function hasNoDestination({ autoMove, assetId, autoMoveLocationId }: Sighting): boolean {
  return autoMove === true && assetId !== undefined && autoMoveLocationId === undefined;
}

/** The subject that sightings are ordered by: the asset, or the code of an unknown tag. */
export function sightingSubject({ assetId, epc }: Pick<Sighting, "assetId" | "epc">): string {
  return assetId ?? epc;
}
