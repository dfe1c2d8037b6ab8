import { createHmac, createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import type { KeyedCall } from "@asset-register/rpc";
import type { Keyring } from "@asset-register/runtime";
import type { Mongo } from "./mongo.ts";
import type { SealedField, StoredSealed } from "./sealed.ts";
import { systemCollection } from "./system.ts";

type KeyRow = { _id: string; sealed: StoredSealed };

const COLLECTION = "idempotency_secrets";
const ID = "fingerprints";
const KEY_BYTES = 32;

/** Where the key of the fingerprints stands. */
export const fingerprintSealed: SealedField = { collection: COLLECTION, path: "sealed", boundTo: "database" };

/**
 * Tells whether two requests under one key are the same, without keeping what they could be guessed by: a
 * request may hold a password, and guesses at a bare hash cost nothing. The key is the database's own,
 * random and sealed by the keyring. It outlives the keyring's keys, since rewrapping seals it anew: a repeat
 * is known as one whatever was changed between.
 */
export function createFingerprints(mongo: Mongo, keyring: Keyring): (keyed: KeyedCall) => Promise<Buffer> {
  const rows = systemCollection<KeyRow>(mongo, COLLECTION);
  const place = { service: mongo.database, collection: COLLECTION, recordId: ID };
  let known: Promise<KeyObject> | undefined;

  async function load(): Promise<KeyObject> {
    // The first process to come makes the key, and it is everybody's.
    const made = { sealed: keyring.encrypt(randomBytes(KEY_BYTES), place) };
    const options = { upsert: true, returnDocument: "after" } as const;
    const row = await rows.findOneAndUpdate({ _id: ID }, { $setOnInsert: made }, options);
    if (row === null) throw new Error("the key of the fingerprints is neither there nor made");
    return createSecretKey(keyring.decrypt(row.sealed, place));
  }

  return async ({ workspaceId, principal, route, key, fingerprint }) => {
    known ??= load().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    // With what the row is found by, so that no two rows tell that their requests were the same.
    const parts = JSON.stringify([workspaceId, principal, route, key, fingerprint]);
    return createHmac("sha256", await known)
      .update(parts)
      .digest();
  };
}
