import { createHmac, createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import type { KeyedCall, KeyedRow } from "@asset-register/rpc";
import type { Keyring } from "@asset-register/runtime";
import type { Mongo } from "./mongo.ts";
import type { SealedField, StoredSealed } from "./sealed.ts";
import { systemCollection } from "./system.ts";

type KeyRow = { _id: string; sealed: StoredSealed };

const COLLECTION = "idempotency_secrets";
const ID = "fingerprints";
const KEY_BYTES = 32;

/** The place of the sealed key of the fingerprints. */
export const fingerprintSealed: SealedField = { collection: COLLECTION, path: "sealed", boundTo: "database" };

/**
 * Creates the function that computes the HMAC of a request. It shows whether two requests with the same
 * Idempotency-Key are equal.
 *
 * - Why not a bare hash: a request may contain a password, and guesses against a hash cost nothing.
 * - The HMAC key is random, belongs to the database and is sealed by the keyring.
 * - Rewrapping seals the HMAC key again, so repeats are recognised after any change of the keyring's keys.
 */
export function createFingerprints(
  mongo: Mongo,
  keyring: Keyring,
): (keyed: KeyedRow & Pick<KeyedCall, "fingerprint">) => Promise<Buffer> {
  const rows = systemCollection<KeyRow>(mongo, COLLECTION);
  const place = { service: mongo.database, collection: COLLECTION, recordId: ID };
  let known: Promise<KeyObject> | undefined;

  async function load(): Promise<KeyObject> {
    // The first process creates the key, and all processes use it.
    const generated = { sealed: keyring.encrypt(randomBytes(KEY_BYTES), place) };
    const options = { upsert: true, returnDocument: "after" } as const;
    const row = await rows.findOneAndUpdate({ _id: ID }, { $setOnInsert: generated }, options);
    if (row === null) throw new Error("The key of the fingerprints is missing and could not be created.");
    return createSecretKey(keyring.decrypt(row.sealed, place));
  }

  return async ({ workspaceId, principal, route, key, fingerprint }) => {
    known ??= load().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    // The HMAC includes the identity of the row, so that equal requests of different rows have different HMACs.
    const parts = JSON.stringify([workspaceId, principal, route, key, fingerprint]);
    return createHmac("sha256", await known)
      .update(parts)
      .digest();
  };
}
