import type { Keyring, Sealed } from "@asset-register/runtime";
import type { mongo as driver } from "mongoose";
import type { Mongo } from "./mongo.ts";
import { systemCollection } from "./system.ts";

/** A field that stores sealed secrets. Each service declares all of its fields once. */
export type SealedField = {
  collection: string;
  /** Path of the sealed value in a document. It may pass through lists of documents ("secrets.sealed"). */
  path: string;
  /** The value is bound to the name of the service, or to the name of the database if this is "database". */
  boundTo?: "database";
};

/** Bytes as the driver reads and writes them. */
export type StoredBytes = driver.Binary | Uint8Array;
export type StoredSealed = Omit<Sealed, "nonce" | "data"> & { nonce: StoredBytes; data: StoredBytes };

/** The number of values of a field that are sealed with a key. */
export type KeyUse = { collection: string; path: string; keyId: string; count: number };

/** Counts the sealed values of all workspaces by their key. */
export async function keyIdsInUse(mongo: Mongo, fields: readonly SealedField[]): Promise<KeyUse[]> {
  const uses = await Promise.all(
    fields.map(async ({ collection, path }) => {
      const rows = await systemCollection(mongo, collection)
        .aggregate<{ _id: string; count: number }>([
          { $match: { [`${path}.keyId`]: { $exists: true } } },
          { $project: { _id: 0, ids: `$${path}.keyId` } },
          { $unwind: "$ids" },
          { $group: { _id: "$ids", count: { $sum: 1 } } },
          { $sort: { _id: 1 } },
        ])
        .toArray();
      return rows.map(({ _id, count }) => ({ collection, path, keyId: _id, count }));
    }),
  );
  return uses.flat();
}

/**
 * Checks at boot that the keyring has all keys in use, so that no unreadable secret is found later.
 *
 * @throws Error that names each missing key and the fields that use it
 */
export async function requireKnownKeys(
  mongo: Mongo,
  keyring: Keyring,
  fields: readonly SealedField[],
): Promise<void> {
  const lacking = (await keyIdsInUse(mongo, fields)).filter(({ keyId }) => !keyring.keyIds.includes(keyId));
  if (lacking.length === 0) return;
  const uses = lacking.map(
    ({ keyId, count, collection, path }) =>
      `the key "${keyId}", which ${count} secrets in ${collection}.${path} are sealed with`,
  );
  throw new Error(
    `KEYRING lacks ${uses.join(", and ")}. It contains ${keyring.keyIds.join(", ")}. ` +
      "Add the missing key beside the active one. Remove it only after `secrets rewrap`, when `secrets status` counts none.",
  );
}
