import type { mongo } from "mongoose";
import { internals, type Mongo } from "./mongo.ts";

/** One index: its fields in order, and the options of MongoDB's createIndexes. */
export type Index = Omit<mongo.IndexDescription, "key"> & {
  key: Readonly<Record<string, mongo.IndexDirection>>;
};

/** Building an index over a large collection takes longer than any other operation may. */
const BUILD_MS = 3_600_000;

/**
 * Creates the indexes of a collection of workspaces. Does nothing for those that exist.
 * @throws Error unless each of them starts with workspaceId; see ensureSystemIndexes for what crosses workspaces
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

/** The same without the rule. */
export async function createIndexes(
  database: Mongo,
  collection: string,
  indexes: readonly Index[],
): Promise<void> {
  if (indexes.length === 0) return;
  const options: mongo.CreateIndexesOptions & { socketTimeoutMS: number } = { socketTimeoutMS: BUILD_MS };
  await database[internals].db.collection(collection).createIndexes([...indexes], options);
}
