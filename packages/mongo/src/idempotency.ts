import { timingSafeEqual } from "node:crypto";
import type { IdempotencyStore, KeyedCall, KeyedRow } from "@asset-register/rpc";
import { type Keyring, newId } from "@asset-register/runtime";
import { isDuplicateKey } from "./duplicate-key.ts";
import { createFingerprints, fingerprintSealed } from "./fingerprints.ts";
import type { TenantDocument } from "./guard/collection.ts";
import { ensureIndexes } from "./indexes.ts";
import type { Migration } from "./migrate.ts";
import {
  type ClientSession,
  internals,
  type KeyedAnswers,
  type Mongo,
  requireAnswers,
  type TransactionCall,
} from "./mongo.ts";
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
  /** HMAC of the request. */
  mac: StoredBytes;
  createdAt: Date;
  /** The encoded answer. */
  response?: StoredBytes;
  /** The encoded answer, if it contains a secret. */
  sealed?: StoredSealed;
  /** The caller that got the secret. Rows of the previous release have none: their secrets are not shown again. */
  holder?: string;
  error?: Pick<KeptError, "kind" | "code" | "message" | "violations">;
};

/** The sealed fields of the store: answers, and the key of its fingerprints. Add them to the list of the service. */
export const idempotencySealed: readonly SealedField[] = [
  { collection: COLLECTION, path: "sealed", boundTo: "database" },
  fingerprintSealed,
];

/** The indexes of the store. A service with keyed RPCs runs this with its own migrations. */
export const idempotencyMigration: Migration = {
  id: "mongo-idempotency-keys-2",
  up: async (mongo) => {
    const key = { workspaceId: 1, principal: 1, route: 1, key: 1 } as const;
    await ensureIndexes(mongo, COLLECTION, [{ key, name: UNIQUE, unique: true }]);
    await ensureSystemIndexes(mongo, COLLECTION, [
      { key: { createdAt: 1 }, name: "expiry", expireAfterSeconds: KEPT_SECONDS },
      // Few rows contain a secret, and each start counts them by key.
      {
        key: { "sealed.keyId": 1 },
        name: "sealed",
        partialFilterExpression: { "sealed.keyId": { $exists: true } },
      },
    ]);
  },
};

/**
 * Creates the store of the answers of keyed calls. It keeps them for 24 hours, and encrypts those with
 * secrets. From then on `mongo.transaction(call, ...)` stores the answer in the transaction of the effect.
 * Create it once, at start.
 */
export function createIdempotencyStore(mongo: Mongo, keyring: Keyring): IdempotencyStore {
  const rows = mongo.collection<Row>(COLLECTION);
  const macOf = createFingerprints(mongo, keyring);
  const place = (recordId: string) => ({ service: mongo.database, collection: COLLECTION, recordId });

  const encoded = (keyed: KeyedCall, recordId: string, result: unknown) => {
    const response = keyed.encode(result);
    return keyed.secret
      ? { sealed: keyring.encrypt(response, place(recordId)), holder: keyed.secret.holder }
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
    async insert(session, answers) {
      const complete = answers.map(async ({ keyed, result }) => {
        const row = await newRow(keyed);
        return { ...row, ...encoded(keyed, row._id, result) };
      });
      await rows.insertMany(await Promise.all(complete), { session });
    },
    async replace(keyed, result) {
      const row = await rows.findOne(identityOf(keyed), { projection: { _id: 1 } });
      if (row === null) return;
      const set = encoded(keyed, row._id, result);
      await rows.updateOne({ _id: row._id, workspaceId: keyed.workspaceId }, { $set: set });
    },
    isTaken: (error) => isDuplicateKey(error, UNIQUE),
    async waitUntilVisible(session, keyed) {
      // The session knows the time of the other write, and a majority read waits for that time.
      await rows.findOne(identityOf(keyed), { session, projection: { _id: 1 } });
    },
  };
  mongo[internals].answers = answers;

  // Every call begins with `has` or `find`, so the key of the fingerprints is loaded before any transaction needs it.
  return {
    async has(row) {
      const filter = identityOf(row);
      const [found] = await Promise.all([
        rows.findOne(filter, { projection: { _id: 1 } }),
        macOf({ ...filter, fingerprint: "" }),
      ]);
      return found !== null;
    },
    async find(keyed) {
      const [row, mac] = await Promise.all([rows.findOne(identityOf(keyed)), macOf(keyed)]);
      if (row === null) return undefined;
      const found: Found = { sameRequest: timingSafeEqual(bytesOf(row.mac), mac) };
      if (row.error !== undefined) found.error = row.error;
      if (row.response !== undefined) found.response = bytesOf(row.response);
      if (row.sealed !== undefined) found.response = keyring.decrypt(row.sealed, place(row._id));
      if (row.holder !== undefined) found.holder = row.holder;
      return found;
    },
    async keepError(keyed, { kind, code, message, violations }) {
      try {
        await rows.insertOne({ ...(await newRow(keyed)), error: { kind, code, message, violations } });
      } catch (error) {
        // Another call with this key was first, and its answer is kept.
        if (!isDuplicateKey(error, UNIQUE)) throw error;
      }
    },
  };
}

/**
 * Stores the answers of keyed calls in the transaction that they share. A key that has an answer already aborts it: then run
 * each call in a transaction of its own.
 */
export async function storeAnswers(
  mongo: Mongo,
  answers: readonly { call: TransactionCall; result: unknown }[],
  session: ClientSession,
): Promise<void> {
  const keyed = answers.flatMap(({ call, result }) => (call.keyed ? { keyed: call.keyed, result } : []));
  if (keyed.length > 0) await requireAnswers(mongo[internals].answers).insert(session, keyed);
}

/**
 * Replaces the stored answer of a keyed call. Use it for work that the same call finished after its
 * transaction. A repeat before this, or after a kill, gets the answer of the transaction.
 */
export async function keepAnswer(mongo: Mongo, { keyed }: TransactionCall, result: unknown): Promise<void> {
  if (keyed !== undefined) await mongo[internals].answers?.replace(keyed, result);
}

function identityOf({ workspaceId, principal, route, key }: KeyedRow) {
  return { workspaceId, principal, route, key };
}

function bytesOf(bytes: StoredBytes): Uint8Array {
  return bytes instanceof Uint8Array ? bytes : bytes.value();
}
