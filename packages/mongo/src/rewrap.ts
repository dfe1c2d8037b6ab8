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
  /** Number of documents that are read and written together. Default: 200. */
  batchSize?: number;
  /** Called and awaited after each batch. */
  progress?: (progress: RewrapProgress) => void | Promise<void>;
};

export type Rewrapped = RewrapProgress & {
  /** Records with an unreadable secret: damaged, or moved from another record. They stay unchanged. */
  unreadable: string[];
};

/**
 * Seals all secrets of a service again with the active key of the keyring. The service may run at the same
 * time: a secret that it changes keeps its new value. If the run is interrupted, run it again.
 *
 * @throws Error if the keyring lacks a key in use
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
    // A process with an old keyring may have changed a value in the meantime and sealed it with an old key.
    for (let repeat = true; repeat; ) {
      repeat = false;
      outcome.unreadable = [];
      for await (const batch of staleRows(database, keyring, field, batchSize)) {
        const writes = batch.flatMap((row) => rewrite(row, field, keyring, owner, outcome.unreadable));
        if (writes.length === 0) continue;
        const { matchedCount } = await rows.bulkWrite(writes, { ordered: false });
        outcome.rewrapped += matchedCount;
        repeat ||= matchedCount < writes.length;
        await progress?.({ collection, path, rewrapped: outcome.rewrapped });
      }
    }
    outcomes.push(outcome);
  }
  return outcomes;
}

/** Reads documents with a value that is not sealed with the active key, in batches, in order of `_id`. */
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

/** Returns one conditional write for each stale value of a document. It applies only to exactly this value. */
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

/** Returns the sealed values at a path, each with its own path, which has an index for each list in it. */
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
