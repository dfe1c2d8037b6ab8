import { timingSafeEqual } from "node:crypto";
import type { IdempotencyStore, KeyedCall } from "@asset-register/rpc";
import { type Keyring, newId } from "@asset-register/runtime";
import { isDuplicateKey } from "./duplicate-key.ts";
import { createFingerprints, fingerprintSealed } from "./fingerprints.ts";
import type { TenantDocument } from "./guard/collection.ts";
import { ensureIndexes } from "./indexes.ts";
import type { Migration } from "./migrate.ts";
import { internals, type KeyedAnswers, type Mongo, type TransactionCall } from "./mongo.ts";
import type { SealedField, StoredBytes, StoredSealed } from "./sealed.ts";
import { ensureSystemIndexes } from "./system.ts";

const COLLECTION = "idempotency_keys";
const UNIQUE = "workspace_principal_route_key";
const KEPT_SECONDS = 24 * 60 * 60;

type KeptError = Parameters<IdempotencyStore["keepError"]>[1];
type Found = NonNullable<Awaited<ReturnType<IdempotencyStore["find"]>>>;

type Row = TenantDocument & {
  principal: string;
  route: string;
  key: string;
  /** Of the request. */
  mac: StoredBytes;
  createdAt: Date;
  /** The encoded answer. */
  response?: StoredBytes;
  /** The encoded answer, when a secret is in it. */
  sealed?: StoredSealed;
  error?: Pick<KeptError, "kind" | "code" | "message" | "violations">;
};

/** Where the store keeps sealed answers, and the key of its fingerprints; for the list of the service's own. */
export const idempotencySealed: readonly SealedField[] = [
  { collection: COLLECTION, path: "sealed", boundTo: "database" },
  fingerprintSealed,
];

/** Indexes of the store; a service with keyed RPCs runs it with its own migrations. */
export const idempotencyMigration: Migration = {
  id: "mongo-idempotency-keys-2",
  up: async (mongo) => {
    const key = { workspaceId: 1, principal: 1, route: 1, key: 1 } as const;
    await ensureIndexes(mongo, COLLECTION, [{ key, name: UNIQUE, unique: true }]);
    await ensureSystemIndexes(mongo, COLLECTION, [
      { key: { createdAt: 1 }, name: "expiry", expireAfterSeconds: KEPT_SECONDS },
      // Few rows hold a secret, and each start counts them by key.
      {
        key: { "sealed.keyId": 1 },
        name: "sealed",
        partialFilterExpression: { "sealed.keyId": { $exists: true } },
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
  const macOf = createFingerprints(mongo, keyring);
  const place = (recordId: string) => ({ service: mongo.database, collection: COLLECTION, recordId });

  const encoded = (keyed: KeyedCall, recordId: string, result: unknown) => {
    const response = keyed.encode(result);
    return keyed.secret
      ? { sealed: keyring.encrypt(response, place(recordId)) }
      : { response: Buffer.from(response) };
  };

  const newRow = async (keyed: KeyedCall): Promise<Row> => {
    const mac = await macOf(keyed);
    return { _id: newId("idk"), ...identityOf(keyed), mac, createdAt: new Date() };
  };

  const answers: KeyedAnswers = {
    async claim(session, keyed) {
      const row = await newRow(keyed);
      await rows.insertOne(row, { session });
      return async (result) => {
        const set = encoded(keyed, row._id, result);
        await rows.updateOne({ _id: row._id, workspaceId: row.workspaceId }, { $set: set }, { session });
      };
    },
    async replace(keyed, result) {
      const row = await rows.findOne(identityOf(keyed), { projection: { _id: 1 } });
      if (row === null) return;
      const set = encoded(keyed, row._id, result);
      await rows.updateOne({ _id: row._id, workspaceId: keyed.workspaceId }, { $set: set });
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
      // Each call begins with this, so that no transaction has to wait for the key of the fingerprints.
      const [row, mac] = await Promise.all([rows.findOne(identityOf(keyed)), macOf(keyed)]);
      if (row === null) return undefined;
      const found: Found = { sameRequest: timingSafeEqual(bytesOf(row.mac), mac) };
      if (row.error !== undefined) found.error = row.error;
      if (row.response !== undefined) found.response = bytesOf(row.response);
      if (row.sealed !== undefined) found.response = keyring.decrypt(row.sealed, place(row._id));
      return found;
    },
    async keepError(keyed, { kind, code, message, violations }) {
      try {
        await rows.insertOne({ ...(await newRow(keyed)), error: { kind, code, message, violations } });
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
  return { workspaceId, principal, route, key };
}

function bytesOf(bytes: StoredBytes): Uint8Array {
  return bytes instanceof Uint8Array ? bytes : bytes.value();
}
