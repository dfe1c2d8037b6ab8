import type { ClientSession, Mongo, TenantDocument } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import type { AcceptedEvent } from "../../domain/ingest/accepted-event.ts";

type EventDocument = TenantDocument & {
  readerId: string;
  epc: string;
  /** The time of the reader's clock. */
  ts: Date;
  /** The corrected time; see effective-time.ts. */
  at: Date;
  receivedAt: Date;
  antenna: number | undefined;
  rssi: number | undefined;
  count: number;
  /** It came too late to count. */
  late: true | undefined;
};

/** An event with the results of processing. */
export type LoggedEvent = { event: AcceptedEvent; at: number; late: boolean };

const DAY_MS = 86_400_000;

/** The name of the collection with the events of a UTC day. Names sort like days. */
export function dayCollection(ms: number): string {
  return `reader_events_${new Date(ms).toISOString().slice(0, 10).replaceAll("-", "")}`;
}

/**
 * Each event once, by its id, in the collection of its `ts` day. So old days can be dropped as a whole. This is the hot
 * path of reads, in native collections: a batch has events of many workspaces.
 */
export function createEventLog(mongo: Mongo) {
  const days = systemCollection<{ _id: string }>(mongo, "reader_event_days");
  const prepared = new Set<string>();
  return {
    /** The ids of those events that are already stored. */
    async storedIds(events: readonly AcceptedEvent[]): Promise<Set<string>> {
      const stored = new Set<string>();
      for (const [name, ids] of groupByDay(
        events,
        ({ id }) => id,
        (event) => event,
      )) {
        const found = await systemCollection<EventDocument>(mongo, name)
          .find({ _id: { $in: ids } }, { projection: { _id: 1 }, batchSize: 10_000 })
          .toArray();
        for (const { _id } of found) stored.add(_id);
      }
      return stored;
    },

    /** @throws the error of a duplicate key when one is already stored */
    async insert(events: readonly LoggedEvent[], session: ClientSession): Promise<void> {
      const options = { session, ordered: false, ignoreUndefined: true };
      for (const [name, documents] of groupByDay(events, toDocument, ({ event }) => event)) {
        await systemCollection<EventDocument>(mongo, name).insertMany(documents, options);
      }
    },

    /** Drops the days before `ts`. Returns how many. */
    async dropBefore(ts: number): Promise<number> {
      const old = await days.find({ _id: { $lt: dayCollection(ts) } }).toArray();
      for (const { _id } of old) {
        await systemCollection(mongo, _id).drop();
        await days.deleteOne({ _id });
        prepared.delete(_id);
      }
      return old.length;
    },

    /** Creates the collections for these events. A transaction with snapshot reads can't create them. */
    async prepare(events: readonly AcceptedEvent[]): Promise<void> {
      for (const day of new Set(events.map(({ ts }) => Math.floor(ts.ms / DAY_MS)))) {
        const name = dayCollection(day * DAY_MS);
        if (prepared.has(name)) continue;
        await days.updateOne({ _id: name }, { $setOnInsert: { _id: name } }, { upsert: true });
        // Each collection has this index. To ask for it creates the collection.
        await systemCollection(mongo, name).createIndex({ _id: 1 });
        prepared.add(name);
      }
    },
  };
}

function groupByDay<T, V>(
  items: readonly T[],
  toValue: (item: T) => V,
  eventOf: (item: T) => AcceptedEvent,
): Map<string, V[]> {
  const days = new Map<number, V[]>();
  for (const item of items) {
    // Names cost more than numbers, and a batch has one or two days.
    const day = Math.floor(eventOf(item).ts.ms / DAY_MS);
    const values = days.get(day);
    if (values === undefined) days.set(day, [toValue(item)]);
    else values.push(toValue(item));
  }
  return new Map([...days].map(([day, values]) => [dayCollection(day * DAY_MS), values]));
}

function toDocument({ event, at, late }: LoggedEvent): EventDocument {
  return {
    _id: event.id,
    workspaceId: event.workspaceId,
    readerId: event.readerId,
    epc: event.epc,
    ts: new Date(event.ts.ms),
    at: new Date(at),
    receivedAt: new Date(event.receivedAt),
    antenna: event.antenna,
    rssi: event.rssi,
    count: event.count,
    late: late || undefined,
  };
}
