import type { mongo } from "mongoose";
import { internals, type Mongo } from "./mongo.ts";

/** One index: its fields in order, and the options of `createIndexes` of MongoDB. */
export type Index = Omit<mongo.IndexDescription, "key"> & {
  key: Readonly<Record<string, mongo.IndexDirection>>;
};

/** Time-out of an index build, which may take longer than any other operation. */
const BUILD_MS = 3_600_000;

/**
 * Creates indexes of a collection whose documents belong to workspaces. Existing indexes are skipped. For
 * indexes that span workspaces, use ensureSystemIndexes.
 *
 * @throws Error if an index does not start with workspaceId
 */
export async function ensureIndexes(
  mongo: Mongo,
  collection: string,
  indexes: readonly Index[],
): Promise<void> {
  for (const { key } of indexes) {
    const fields = Object.keys(key);
    if (fields[0] !== "workspaceId") {
      throw new Error(`${collection}: the index on ${fields.join(", ")} must start with workspaceId`);
    }
  }
  await createIndexes(mongo, collection, indexes);
}

/** Creates indexes without the rule that they start with workspaceId. */
export async function createIndexes(
  database: Mongo,
  collection: string,
  indexes: readonly Index[],
): Promise<void> {
  if (indexes.length === 0) return;
  const options: mongo.CreateIndexesOptions & { socketTimeoutMS: number } = { socketTimeoutMS: BUILD_MS };
  await database[internals].db.collection(collection).createIndexes([...indexes], options);
}
