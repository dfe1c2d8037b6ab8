import type { ClientSession, TenantCollection, TenantDocument } from "@asset-register/mongo";
import type { mongo } from "mongoose";

type AssetRow = TenantDocument & { assetId: string; at: Date };

/**
 * The first row of each asset: the latest one with `-1`, the earliest one with `1`. With an index on assetId, the
 * fields that `match` compares by equality (`equal`), at and _id, the server skips from asset to asset.
 */
export async function firstOfEach<T extends AssetRow>(
  collection: TenantCollection<T>,
  match: mongo.BSON.Document & { workspaceId: string },
  direction: 1 | -1,
  { equal = [], session }: { equal?: readonly string[]; session?: ClientSession | undefined } = {},
): Promise<T[]> {
  const order = ["assetId", ...equal, "at", "_id"];
  return collection
    .aggregate<T>(
      [
        { $match: match },
        { $sort: Object.fromEntries(order.map((name) => [name, direction])) },
        { $group: { _id: "$assetId", row: { $first: "$$ROOT" } } },
        { $replaceRoot: { newRoot: "$row" } },
      ],
      session && { session },
    )
    .toArray();
}
