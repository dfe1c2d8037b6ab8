import type { ClientSession, Mongo, TenantDocument } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import type { AcceptedEvent } from "../domain/accepted-event.ts";
import { dayCollection } from "../domain/event-day.ts";

type EventDocument = TenantDocument & {
  reader_id: string;
  epc: string;
  /** As the reader's clock told. */
  ts: Date;
  /** Corrected; see effective-time.ts. */
  at: Date;
  received_at: Date;
  antenna?: number;
  rssi?: number;
  count: number;
  /** Came after what it would have changed. */
  late?: true;
};

/** An event with what processing says of it. */
export type LoggedEvent = AcceptedEvent & { at: number; late: boolean };

export type EventLog = ReturnType<typeof createEventLog>;

/**
 * Every event once, by its id, in the collection of its `ts` day, so that old
 * days are dropped whole. Written for many workspaces at once, as the topic
 * brings them.
 */
export function createEventLog(mongo: Mongo) {
  const days = systemCollection<{ _id: string }>(mongo, "reader_event_days");
  const prepared = new Set<string>();
  return {
    /** The ids that are stored already. */
    async known(events: readonly AcceptedEvent[], session: ClientSession): Promise<Set<string>> {
      const known = new Set<string>();
      for (const [name, ids] of groupByDay(events, ({ id }) => id)) {
        const found = await systemCollection<EventDocument>(mongo, name)
          .find({ _id: { $in: ids } }, { session, projection: { _id: 1 } })
          .toArray();
        for (const { _id } of found) known.add(_id);
      }
      return known;
    },
    async insert(events: readonly LoggedEvent[], session: ClientSession): Promise<void> {
      for (const [name, documents] of groupByDay(events, toDocument)) {
        await systemCollection<EventDocument>(mongo, name).insertMany(documents, { session, ordered: false });
      }
    },
    /** Drops the days before `ts` and gives their number. */
    async dropBefore(ts: number): Promise<number> {
      const old = await days.find({ _id: { $lt: dayCollection(ts) } }).toArray();
      for (const { _id } of old) {
        await systemCollection(mongo, _id).drop();
        await days.deleteOne({ _id });
        prepared.delete(_id);
      }
      return old.length;
    },
    /** Makes the collections that these events need, since a transaction that reads a snapshot can't. */
    async prepare(events: readonly AcceptedEvent[]): Promise<void> {
      for (const name of new Set(events.map(({ ts }) => dayCollection(ts.ms)))) {
        if (prepared.has(name)) continue;
        await days.updateOne({ _id: name }, { $setOnInsert: { _id: name } }, { upsert: true });
        // The index is there anyway; asking for it makes the collection.
        await systemCollection(mongo, name).createIndex({ _id: 1 });
        prepared.add(name);
      }
    },
  };
}

function groupByDay<T extends AcceptedEvent, V>(
  events: readonly T[],
  toValue: (event: T) => V,
): Map<string, V[]> {
  const days = new Map<string, V[]>();
  for (const event of events) {
    const name = dayCollection(event.ts.ms);
    const values = days.get(name);
    if (values === undefined) days.set(name, [toValue(event)]);
    else values.push(toValue(event));
  }
  return days;
}

function toDocument(event: LoggedEvent): EventDocument {
  const { antenna, rssi } = event;
  return {
    _id: event.id,
    workspaceId: event.workspaceId,
    reader_id: event.readerId,
    epc: event.epc,
    ts: new Date(event.ts.ms),
    at: new Date(event.at),
    received_at: new Date(event.receivedAt),
    count: event.count,
    ...(antenna === undefined ? {} : { antenna }),
    ...(rssi === undefined ? {} : { rssi }),
    ...(event.late ? { late: true as const } : {}),
  };
}
