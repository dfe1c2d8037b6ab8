import type { Keyring, Sealed, SealedPlace } from "@asset-register/runtime";
import mongoose, { type mongo } from "mongoose";
import type { Mongo } from "./mongo.ts";
import { keyIdsInUse, requireKnownKeys, type SealedField } from "./sealed.ts";
import { systemCollection } from "./system.ts";

type Row = { _id: string };
type StoredSealed = Omit<Sealed, "nonce" | "data"> & { nonce: mongo.Binary; data: mongo.Binary };
type Write = { updateOne: { filter: mongo.Filter<Row>; update: { $set: Record<string, Sealed> } } };

export type RewrapProgress = { collection: string; path: string; rewrapped: number };

export type RewrapOptions = {
  /** Documents read and written at once. */
  batchSize?: number;
  /** Told after each batch, and awaited. */
  progress?: (progress: RewrapProgress) => void | Promise<void>;
};

export type Rewrapped = RewrapProgress & {
  /** Records whose secret can't be read: damaged, or moved from another record. They are left as they are. */
  unreadable: string[];
};

/**
 * Seals all secrets of a service anew with the keyring's active key, while the service runs: a secret that
 * is changed meanwhile keeps its new value. Ended half-way, it is simply run again.
 * @throws Error when the keyring lacks a key in use
 */
export async function rewrap(
  database: Mongo,
  keyring: Keyring,
  service: string,
  fields: readonly SealedField[],
  { batchSize = 200, progress }: RewrapOptions = {},
): Promise<Rewrapped[]> {
  await requireKnownKeys(database, keyring, fields);
  const outcomes: Rewrapped[] = [];
  for (const field of fields) {
    const { collection, path } = field;
    const outcome: Rewrapped = { collection, path, rewrapped: 0, unreadable: [] };
    const rows = systemCollection<Row>(database, collection);
    const owner = field.boundTo === "database" ? database.database : service;
    // A value that changed under our hands may still have an old key, by a process with an old keyring.
    for (let again = true; again; ) {
      again = false;
      outcome.unreadable = [];
      for await (const batch of staleRows(database, keyring, field, batchSize)) {
        const writes = batch.flatMap((row) => rewrite(row, field, keyring, owner, outcome.unreadable));
        if (writes.length === 0) continue;
        const { matchedCount } = await rows.bulkWrite(writes, { ordered: false });
        outcome.rewrapped += matchedCount;
        again ||= matchedCount < writes.length;
        await progress?.({ collection, path, rewrapped: outcome.rewrapped });
      }
    }
    outcomes.push(outcome);
  }
  return outcomes;
}

/** Documents with a value that is not sealed with the active key, in batches, in order of `_id`. */
async function* staleRows(database: Mongo, keyring: Keyring, field: SealedField, batchSize: number) {
  const uses = await keyIdsInUse(database, [field]);
  const stale = uses.map(({ keyId }) => keyId).filter((keyId) => keyId !== keyring.active);
  if (stale.length === 0) return;
  const rows = systemCollection<Row>(database, field.collection);
  const [top = field.path] = field.path.split(".");
  for (let after: string | undefined; ; ) {
    const batch: Row[] = await rows
      .find({
        [`${field.path}.keyId`]: { $in: stale },
        ...(after === undefined ? {} : { _id: { $gt: after } }),
      })
      .project<Row>({ [top]: 1 })
      .sort({ _id: 1 })
      .limit(batchSize)
      .toArray();
    after = batch.at(-1)?._id;
    if (after === undefined) return;
    yield batch;
  }
}

/** One conditional write for each stale value of a document: it applies to that very value only. */
function rewrite(
  row: Row,
  { collection, path }: SealedField,
  keyring: Keyring,
  owner: string,
  unreadable: string[],
): Write[] {
  const place: SealedPlace = { service: owner, collection, recordId: row._id };
  return sealedValues(row, path.split(".")).flatMap(({ at, sealed }) => {
    if (sealed.keyId === keyring.active) return [];
    try {
      const fresh = keyring.encrypt(keyring.decrypt(sealed, place), place);
      const { keyId, nonce, data } = sealed;
      const same = { [`${at}.keyId`]: keyId, [`${at}.nonce`]: nonce, [`${at}.data`]: data };
      return [{ updateOne: { filter: { _id: row._id, ...same }, update: { $set: { [at]: fresh } } } }];
    } catch {
      unreadable.push(row._id);
      return [];
    }
  });
}

/** The sealed values at a path, each with its own path: with an index for each list on the way. */
function sealedValues(
  value: unknown,
  path: readonly string[],
  at: readonly string[] = [],
): { at: string; sealed: StoredSealed }[] {
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, index) => sealedValues(item, path, [...at, String(index)]));
  }
  const [name, ...rest] = path;
  if (name === undefined) return isSealed(value) ? [{ at: at.join("."), sealed: value }] : [];
  if (typeof value !== "object" || value === null) return [];
  return sealedValues(Reflect.get(value, name), rest, [...at, name]);
}

function isSealed(value: unknown): value is StoredSealed {
  const { Binary } = mongoose.mongo;
  return (
    typeof value === "object" &&
    value !== null &&
    "keyId" in value &&
    typeof value.keyId === "string" &&
    "nonce" in value &&
    value.nonce instanceof Binary &&
    "data" in value &&
    value.data instanceof Binary
  );
}
