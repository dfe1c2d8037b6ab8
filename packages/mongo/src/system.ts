import type { mongo } from "mongoose";
import { createIndexes, type Index } from "./indexes.ts";
import { internals, type Mongo } from "./mongo.ts";
import { asAppError, withMappedErrors } from "./unavailable.ts";

/**
 * Returns a collection without the tenant guard. It is for data that spans workspaces: outbox, leases, sweeps,
 * look-up of credentials, TTL. The import rules name each file that may use it.
 */
export function systemCollection<T extends mongo.BSON.Document>(
  mongo: Mongo,
  name: string,
): mongo.Collection<T> {
  return withMappedErrors(mongo[internals].db.collection<T>(name));
}

/** Creates indexes that need not start with workspaceId. Existing indexes are skipped. */
export async function ensureSystemIndexes(
  mongo: Mongo,
  collection: string,
  indexes: readonly Index[],
): Promise<void> {
  await createIndexes(mongo, collection, indexes);
}

/**
 * The collections of the database with a name. The `uuid` stays when a collection is renamed. If it is dropped and
 * created again, it has another one.
 */
export async function listCollections(
  mongo: Mongo,
  name: string | RegExp,
): Promise<{ name: string; uuid: string | undefined }[]> {
  try {
    const found = await mongo[internals].db.listCollections({ name }, { nameOnly: false }).toArray();
    return found.map((one) => ({ name: one.name, uuid: one.info?.uuid?.toString("hex") }));
  } catch (error) {
    throw asAppError(error);
  }
}
