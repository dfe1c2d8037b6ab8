import { randomUUID } from "node:crypto";
import { ensureIndexes, hasErrorCode, type Index, type Mongo } from "@asset-register/mongo";
import { listCollections, systemCollection } from "@asset-register/mongo/system";

/** A collection of a day that exists, by its name. */
export type DayRow = {
  _id: string;
  /** It was restored from files, and is not dropped before. */
  keptUntil?: Date;
  /** The drop that has it now, so that it can't be kept. `true` is from an earlier release. */
  dropping?: string | true;
  /** A process has prepared it since then. */
  prepared?: true;
};

type DayNames = { name: string; registry: string; indexes: readonly Index[] };

/** How many rows of a day are in files. Counting those of its collection ends with the signal. */
export type RowsInFiles = { rows: number; signal: AbortSignal };

/** A count of 1,000,000 rows takes about a second, and a large workspace has 400,000,000 in a day. */
export const LONG = { socketTimeoutMS: 3_600_000, maxTimeMS: 3_600_000 };

/** In the name of a collection that is being dropped, after the name of its day. */
const DROPPING = "_dropping_";

const NAMESPACE_NOT_FOUND = 26;
const NAMESPACE_EXISTS = 48;

/**
 * Drops collections of days while other processes may write to them, prepare or keep them, or drop them too. `registry`
 * has a `DayRow` for each. The other processes may be of an earlier release, and each may end at any point.
 */
export function createDayDrops(mongo: Mongo, records: DayNames) {
  const days = systemCollection<DayRow>(mongo, records.registry);

  /**
   * Drops a day, but not if its rows are not all `inFiles`: rows may come at any time. So the collection gets a name to
   * which nobody writes, and is then counted. Only the process whose token the row of the day still has drops it.
   * Returns false if the day stays.
   */
  async function drop(name: string, now: Date, inFiles?: RowsInFiles): Promise<boolean> {
    const token = randomUUID();
    const free = { _id: name, keptUntil: { $not: { $gt: now } }, dropping: { $exists: false } };
    const taken = await days.updateOne(free, { $set: { dropping: token }, $unset: { prepared: 1 } });
    if (taken.matchedCount === 0) return false;
    const renamed = `${name}${DROPPING}${token}`;
    let isDropped = false;
    try {
      await rename(name, renamed);
      if ((await hasRows(renamed, inFiles)) && (await release(name, token))) {
        await systemCollection(mongo, renamed).drop();
        isDropped = true;
      }
    } finally {
      if (!isDropped) await takeBack(name, renamed);
    }
    return isDropped;
  }

  /** It waits for open transactions. A missing collection is no error. */
  async function rename(from: string, to: string): Promise<void> {
    try {
      // The driver passes no write concern of its own. The count has to see what was committed before.
      await systemCollection(mongo, from).rename(to, { writeConcern: { w: "majority" } });
    } catch (error) {
      if (!hasErrorCode(error, NAMESPACE_NOT_FOUND)) throw error;
    }
  }

  async function hasRows(name: string, expected: RowsInFiles | undefined): Promise<boolean> {
    if (expected === undefined) return true;
    const { rows, signal } = expected;
    const options = { ...LONG, hint: { _id: 1 }, signal };
    const count = await systemCollection(mongo, name).countDocuments({}, options);
    signal.throwIfAborted();
    return count === rows;
  }

  /** Ends a drop in the registry. Returns false if another process did. */
  async function release(name: string, token: string): Promise<boolean> {
    const own = { _id: name, dropping: token };
    const removed = await days.deleteOne({ ...own, prepared: { $exists: false } });
    if (removed.deletedCount === 1) return true;
    // The row stays for the collection that a process has created meanwhile.
    return (await days.updateOne(own, { $unset: { dropping: 1 } })).matchedCount === 1;
  }

  /** Puts the rows of a drop that has not ended back into the collection of their day. It can be repeated. */
  async function takeBack(name: string, renamed: string): Promise<void> {
    try {
      await rename(renamed, name);
    } catch (error) {
      if (!hasErrorCode(error, NAMESPACE_EXISTS)) throw error;
      // The day has got further rows.
      const rows = systemCollection(mongo, renamed);
      await rows.aggregate([{ $merge: { into: name, whenMatched: "keepExisting" } }], LONG).toArray();
      await rows.drop();
    }
    await days.updateOne({ _id: name }, { $unset: { dropping: 1 } }, { upsert: true });
  }

  /**
   * Takes back what processes left that ended during a drop. A drop that is still under way then leaves its day, so days
   * that are moved need one caller at a time. It registers collections without a row too: with a process of an earlier
   * release, a day that is prepared during its drop can lose its row.
   */
  async function recover(): Promise<void> {
    const found = await listCollections(mongo, new RegExp(`^${records.name}_\\d{8}(${DROPPING}.*)?$`));
    const names = new Set<string>();
    for (const { name } of found) {
      const [day = name, token] = name.split(DROPPING);
      if (token !== undefined) await takeBack(day, name);
      names.add(day);
    }
    await days.updateMany({ dropping: { $exists: true } }, { $unset: { dropping: 1 } });
    for (const { _id } of await days.find().toArray()) names.delete(_id);
    for (const _id of names) {
      await ensureIndexes(mongo, _id, records.indexes);
      await days.updateOne({ _id }, { $setOnInsert: { _id } }, { upsert: true });
    }
  }

  return { drop, recover };
}
