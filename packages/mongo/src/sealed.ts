import type { Keyring, Sealed } from "@asset-register/runtime";
import type { mongo as driver } from "mongoose";
import type { Mongo } from "./mongo.ts";
import { systemCollection } from "./system.ts";

/** Where a service keeps sealed secrets: each service declares all of its own, once. */
export type SealedField = {
  collection: string;
  /** Of the sealed value in a document; lists of documents on the way are looked through ("secrets.sealed"). */
  path: string;
  /** Whose name is part of what the value is bound to: the service's, unless it says the database's. */
  boundTo?: "database";
};

/** As the driver reads and writes it. */
export type StoredBytes = driver.Binary | Uint8Array;
export type StoredSealed = Omit<Sealed, "nonce" | "data"> & { nonce: StoredBytes; data: StoredBytes };

/** How many values are sealed with a key. */
export type KeyUse = { collection: string; path: string; keyId: string; count: number };

/** Counts the sealed values of all workspaces by the key that they are sealed with. */
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
 * For the boot: better not to start than to find later that a secret can't be read.
 * @throws Error that names each key in use that the keyring lacks, and where it is in use
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
    `KEYRING lacks ${uses.join(", and ")}; it holds ${keyring.keyIds.join(", ")}. ` +
      "Put the key back beside the active one; it may go after `secrets rewrap`, when `secrets status` counts none.",
  );
}
