import type { Context } from "../../context.ts";
import { type PlaceNode, placeTree } from "../../domain/organisation/place-tree.ts";

const levels = ["propertyId", "buildingId", "floorId", "locationId"] as const;

/** All places of a workspace with their assets. While assets are being placed, counts may show their old place. */
export async function getPlaceTree({ stores }: Context, workspaceId: string): Promise<PlaceNode[]> {
  const [records, ...counts] = await Promise.all([
    stores.organisation.all(workspaceId, ["property", "building", "floor", "location"]),
    ...levels.map((field) => stores.assets.countByReference(workspaceId, field)),
  ]);
  return placeTree(records, new Map(counts.flatMap((byId) => [...byId])));
}
