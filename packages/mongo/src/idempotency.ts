import type { IdempotencyStore, KeyedCall } from "@asset-register/rpc";
import { type Keyring, newId, type Sealed } from "@asset-register/runtime";
import type { mongo } from "mongoose";
import { isDuplicateKey } from "./duplicate-key.ts";
import type { TenantDocument } from "./guard/collection.ts";
import { ensureIndexes } from "./indexes.ts";
import type { Migration } from "./migrate.ts";
import { internals, type KeyedAnswers, type Mongo, type TransactionCall } from "./mongo.ts";
import type { SealedField } from "./sealed.ts";
import { ensureSystemIndexes } from "./system.ts";

const COLLECTION = "idempotency_keys";
const UNIQUE = "workspace_principal_route_key";
const KEPT_SECONDS = 24 * 60 * 60;

type KeptError = Parameters<IdempotencyStore["keepError"]>[1];
type Found = NonNullable<Awaited<ReturnType<IdempotencyStore["find"]>>>;

type Bytes = mongo.Binary | Uint8Array;

type Row = TenantDocument & {
  principal: string;
  route: string;
  key: string;
  fingerprint: string;
  created_at: Date;
  /** The encoded answer. */
  response?: Bytes;
  /** The encoded answer, when a secret is in it. */
  sealed?: Omit<Sealed, "nonce" | "data"> & { nonce: Bytes; data: Bytes };
  error?: Pick<KeptError, "kind" | "code" | "message" | "violations">;
};

/** Where the store keeps sealed answers; for the list of the service's own. */
export const idempotencySealed: SealedField = {
  collection: COLLECTION,
  path: "sealed",
  boundTo: "database",
};

/** Indexes of the store; a service with keyed RPCs runs it with its own migrations. */
export const idempotencyMigration: Migration = {
  id: "mongo-idempotency-keys-2",
  up: async (mongo) => {
    const key = { workspace_id: 1, principal: 1, route: 1, key: 1 } as const;
    await ensureIndexes(mongo, COLLECTION, [{ key, name: UNIQUE, unique: true }]);
    await ensureSystemIndexes(mongo, COLLECTION, [
      { key: { created_at: 1 }, name: "expiry", expireAfterSeconds: KEPT_SECONDS },
      // Few rows hold a secret, and each start counts them by key.
      {
        key: { "sealed.key_id": 1 },
        name: "sealed",
        partialFilterExpression: { "sealed.key_id": { $exists: true } },
      },
    ]);
  },
};

/**
 * Keeps the answers of keyed calls for 24 hours, those with secrets encrypted, and makes
 * `mongo.transaction(call, ...)` store them in the transaction of their effect. Made once, at start.
 */
export function createIdempotencyStore(mongo: Mongo, keyring: Keyring): IdempotencyStore {
  const rows = mongo.collection<Row>(COLLECTION);
  const place = (recordId: string) => ({ service: mongo.database, collection: COLLECTION, recordId });

  const encoded = (keyed: KeyedCall, recordId: string, result: unknown) => {
    const response = keyed.encode(result);
    return keyed.secret
      ? { sealed: keyring.encrypt(response, place(recordId)) }
      : { response: Buffer.from(response) };
  };

  const answers: KeyedAnswers = {
    async claim(session, keyed) {
      const row = newRow(keyed);
      await rows.insertOne(row, { session });
      return async (result) => {
        const set = encoded(keyed, row._id, result);
        await rows.updateOne({ _id: row._id, workspace_id: row.workspace_id }, { $set: set }, { session });
      };
    },
    async replace(keyed, result) {
      const row = await rows.findOne(identityOf(keyed), { projection: { _id: 1 } });
      if (row === null) return;
      const set = encoded(keyed, row._id, result);
      await rows.updateOne({ _id: row._id, workspace_id: keyed.workspaceId }, { $set: set });
    },
    taken: (error) => isDuplicateKey(error, UNIQUE),
    async settled(session, keyed) {
      // The session has seen the time of the other write, and a majority read waits for it.
      await rows.findOne(identityOf(keyed), { session, projection: { _id: 1 } });
    },
  };
  mongo[internals].answers = answers;

  return {
    async find(keyed) {
      const row = await rows.findOne(identityOf(keyed));
      if (row === null) return undefined;
      const found: Found = { fingerprint: row.fingerprint };
      if (row.error !== undefined) found.error = row.error;
      if (row.response !== undefined) found.response = bytesOf(row.response);
      if (row.sealed !== undefined) found.response = keyring.decrypt(row.sealed, place(row._id));
      return found;
    },
    async keepError(keyed, { kind, code, message, violations }) {
      try {
        await rows.insertOne({ ...newRow(keyed), error: { kind, code, message, violations } });
      } catch (error) {
        // The other call of this key got there first, and its answer stands.
        if (!isDuplicateKey(error, UNIQUE)) throw error;
      }
    },
  };
}

/**
 * Keeps another answer for a keyed call than that of its transaction: for what was finished after it, in
 * the same call. Whoever repeats the call before that, or after a kill, is told what the transaction told.
 */
export async function keepAnswer(mongo: Mongo, { keyed }: TransactionCall, result: unknown): Promise<void> {
  if (keyed !== undefined) await mongo[internals].answers?.replace(keyed, result);
}

function identityOf({ workspaceId, principal, route, key }: KeyedCall) {
  return { workspace_id: workspaceId, principal, route, key };
}

function newRow(keyed: KeyedCall): Row {
  const { fingerprint } = keyed;
  return { _id: newId("idk"), ...identityOf(keyed), fingerprint, created_at: new Date() };
}

function bytesOf(bytes: Bytes): Uint8Array {
  return bytes instanceof Uint8Array ? bytes : bytes.value();
}
