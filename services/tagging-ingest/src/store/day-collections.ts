import { ensureIndexes, type Index, type ListPart, type Mongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";

/** Documents of many workspaces, in one collection for each UTC day. So an old day is dropped as a whole. */
export type DayRecords = {
  /** The collections are `{name}_{YYYYMMDD}`. Their names sort like days. */
  name: string;
  /** The collection with the names of those that exist. */
  registry: string;
  indexes: readonly Index[];
};

const DAY_MS = 86_400_000;

/** The number of a UTC day since the epoch. */
export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

/** The name of the collection of a day. */
export function nameOfDay({ name }: DayRecords, day: number): string {
  return `${name}_${new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll("-", "")}`;
}

export function createDayCollections(mongo: Mongo, records: DayRecords) {
  const { registry, indexes } = records;
  const days = systemCollection<{ _id: string }>(mongo, registry);
  const prepared = new Set<string>();
  return {
    /** Creates the collections of these days. A transaction with snapshot reads can't create them. */
    async prepare(wanted: Iterable<number>): Promise<void> {
      for (const day of new Set(wanted)) {
        const name = nameOfDay(records, day);
        if (prepared.has(name)) continue;
        await days.updateOne({ _id: name }, { $setOnInsert: { _id: name } }, { upsert: true });
        // Each collection has this index. To ask for it creates the collection.
        await systemCollection(mongo, name).createIndex({ _id: 1 });
        // A process of an earlier release may have created it without these.
        await ensureIndexes(mongo, name, indexes);
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

    /** Drops the days before `ms`. Returns how many. */
    async dropBefore(ms: number): Promise<number> {
      const old = await days.find({ _id: { $lt: nameOfDay(records, dayOf(ms)) } }).toArray();
      for (const { _id } of old) {
        await systemCollection(mongo, _id).drop();
        await days.deleteOne({ _id });
        prepared.delete(_id);
      }
      return old.length;
    },

    /** Creates the indexes of the days that exist. For migrations. */
    async ensureAllIndexes(): Promise<void> {
      for (const { _id } of await days.find().sort({ _id: -1 }).toArray()) {
        await ensureIndexes(mongo, _id, indexes);
      }
    },
  };
}
