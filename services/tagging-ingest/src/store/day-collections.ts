import { ensureIndexes, type Index, isDuplicateKey, type ListPart, type Mongo } from "@asset-register/mongo";
import { listCollections, systemCollection } from "@asset-register/mongo/system";
import { LEAST_RETENTION_DAYS } from "../domain/presence/retention.ts";
import { dateOfDay, dayOf, dayOfDate } from "../domain/utc-day.ts";
import { createDayDrops, type DayRow, type RowsInFiles } from "./day-drops.ts";

/** Documents of many workspaces, in one collection for each UTC day. So an old day is dropped as a whole. */
export type DayRecords = {
  /** The collections are `{name}_{YYYYMMDD}`. Their names sort like days. */
  name: string;
  /** The collection with the names of those that exist. */
  registry: string;
  indexes: readonly Index[];
};

const DAY_MS = 86_400_000;

/** The name of the collection of a day. */
export function nameOfDay({ name }: DayRecords, day: number): string {
  return `${name}_${dateOfDay(day).replaceAll("-", "")}`;
}

const dayOfName = (name: string): number =>
  dayOfDate(name.replace(/^.*_(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3")) ?? Number.NaN;

export function createDayCollections(mongo: Mongo, records: DayRecords) {
  const { registry, indexes } = records;
  const days = systemCollection<DayRow>(mongo, registry);
  const drops = createDayDrops(mongo, records);
  const prepared = new Set<string>();
  let newest = Number.NEGATIVE_INFINITY;

  async function create(name: string): Promise<void> {
    // Each collection has this index. To ask for it creates the collection.
    await systemCollection(mongo, name).createIndex({ _id: 1 });
    // A process of an earlier release may have created it without these.
    await ensureIndexes(mongo, name, indexes);
  }

  const droppable = (ms: number, now: Date) => ({
    _id: { $lt: nameOfDay(records, dayOf(ms)) },
    keptUntil: { $not: { $gt: now } },
  });

  async function drop(name: string, now: Date, inFiles?: RowsInFiles): Promise<boolean> {
    prepared.delete(name);
    return drops.drop(name, now, inFiles);
  }

  return {
    /** Creates the collections of these days. A transaction with snapshot reads can't create them. */
    async prepare(wanted: Iterable<number>): Promise<void> {
      for (const day of new Set(wanted)) {
        const name = nameOfDay(records, day);
        newest = Math.max(newest, day, dayOf(Date.now()));
        // Any process may drop an older day, so it is prepared each time.
        const isRecent = day > newest - LEAST_RETENTION_DAYS;
        if (isRecent && prepared.has(name)) continue;
        await create(name);
        // Last: a drop that has renamed the collection before leaves this row, or has removed it already.
        await days.updateOne({ _id: name }, { $set: { prepared: true } }, { upsert: true });
        prepared.add(name);
      }
    },

    /**
     * The days that may have documents of this time, the newest first. The time of a document may be in a day beside its
     * own, by at most `slackMs`.
     */
    async partsBetween(from: Date, to: Date, slackMs = 0): Promise<ListPart[]> {
      const [first, last] = [dayOf(from.getTime() - slackMs), dayOf(to.getTime() - 1 + slackMs)];
      const found = await days
        .find({ _id: { $gte: nameOfDay(records, first), $lte: nameOfDay(records, last) } })
        .toArray();
      const existing = new Set(found.map(({ _id }) => _id));
      const parts: ListPart[] = [];
      for (let day = last; day >= first; day -= 1) {
        const collection = nameOfDay(records, day);
        if (!existing.has(collection)) continue;
        const [begin, end] = [day * DAY_MS - slackMs, (day + 1) * DAY_MS + slackMs];
        parts.push({ collection, from: new Date(begin), until: new Date(end) });
      }
      return parts;
    },

    /** The days before `ms` that are not kept, the oldest first. */
    async listBefore(ms: number, now: Date): Promise<number[]> {
      const old = await days.find(droppable(ms, now)).sort({ _id: 1 }).toArray();
      return old.map(({ _id }) => dayOfName(_id));
    },

    /** Drops the days before `ms` that are not kept. Returns how many. */
    async dropBefore(ms: number, now: Date): Promise<number> {
      await drops.recover();
      let dropped = 0;
      for (const { _id } of await days.find(droppable(ms, now)).toArray()) {
        if (await drop(_id, now)) dropped += 1;
      }
      return dropped;
    },

    /** Drops a day whose rows are in files. Returns false if it is kept, or has other rows. */
    drop: (day: number, now: Date, inFiles: RowsInFiles): Promise<boolean> =>
      drop(nameOfDay(records, day), now, inFiles),

    /** See `createDayDrops`. */
    recover: drops.recover,

    /** The identity of a day's collection: it is another one after a drop. Undefined if there is none. */
    async collectionId(day: number): Promise<string | undefined> {
      const [found] = await listCollections(mongo, nameOfDay(records, day));
      return found?.uuid;
    },

    /** Creates the collection of a day that is kept until a time at least. Returns false while it is being dropped. */
    async keep(day: number, until: Date): Promise<boolean> {
      const name = nameOfDay(records, day);
      try {
        const filter = { _id: name, dropping: { $exists: false } };
        await days.updateOne(filter, { $max: { keptUntil: until } }, { upsert: true });
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
      await create(name);
      return true;
    },

    /** Creates the indexes of the days that exist. For migrations. */
    async ensureAllIndexes(): Promise<void> {
      for (const { _id } of await days.find().sort({ _id: -1 }).toArray()) {
        await ensureIndexes(mongo, _id, indexes);
      }
    },
  };
}
