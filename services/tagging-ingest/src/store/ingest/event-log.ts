import { type ClientSession, listParts, type Mongo, type TenantDocument } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import type { PageQuery } from "@asset-register/rpc";
import type { AcceptedEvent } from "../../domain/ingest/accepted-event.ts";
import { MAX_CORRECTION_MS } from "../../domain/ingest/effective-time.ts";
import type { TimeSpan } from "../../domain/presence/time-span.ts";
import { dayOf } from "../../domain/utc-day.ts";
import { createDayCollections, type DayRecords, nameOfDay } from "../day-collections.ts";

export type EventDocument = TenantDocument & {
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
  /** It was weaker than its read point allows. */
  weak: true | undefined;
};

/** An event with the results of processing. */
export type LoggedEvent = { event: AcceptedEvent; at: number; late: boolean; weak: boolean };

/** Without the id, a page would sort all reads of a reader or tag in the day. */
export const eventDays: DayRecords = {
  name: "reader_events",
  registry: "reader_event_days",
  indexes: [
    { name: "reader", key: { workspaceId: 1, readerId: 1, at: 1, _id: 1 } },
    { name: "epc", key: { workspaceId: 1, epc: 1, at: 1, _id: 1 } },
  ],
};

/** The name of the collection with the events of a UTC day. Names sort like days. */
export const dayCollection = (ms: number): string => nameOfDay(eventDays, dayOf(ms));

/** Whose reads are listed: those by a reader, or of a tag, by all codes that it may be read with. */
export type ReadsOf = { readerId: string } | { tagId: string; epcs: readonly string[] };

/** A stored event. */
export type StoredRead = Omit<EventDocument, "_id" | "workspaceId"> & { id: string };

/**
 * Each event once, by its id, in the collection of its `ts` day. So old days can be dropped as a whole. This is the hot
 * path of reads, in native collections: a batch has events of many workspaces.
 */
export function createEventLog(mongo: Mongo) {
  const days = createDayCollections(mongo, eventDays);
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

    /** The reads in a time, the newest first. */
    async list(
      workspaceId: string,
      of: ReadsOf,
      { from, to, asked }: TimeSpan,
      page: PageQuery,
    ): Promise<{ items: StoredRead[]; nextCursor?: string | undefined }> {
      const filter = "readerId" in of ? of : { epc: { $in: [...of.epcs] } };
      const boundTo = { ...asked, ...("readerId" in of ? of : { tagId: of.tagId }) };
      const parts = await days.partsBetween(from, to, MAX_CORRECTION_MS);
      const found = await listParts<EventDocument>(mongo, {
        ...{ list: eventDays.name, workspaceId, filter, boundTo, field: "at", from, to, parts, page },
      });
      const items = found.items.map(({ _id, workspaceId: _, ...read }) => ({ ...read, id: _id }));
      return { ...found, items };
    },

    /** Drops the days before `ts` that are not kept. Returns how many. */
    dropBefore: (ts: number, now: Date): Promise<number> => days.dropBefore(ts, now),

    /** Creates the collections for these events. */
    prepare: (events: readonly AcceptedEvent[]): Promise<void> =>
      days.prepare(events.map(({ ts }) => dayOf(ts.ms))),
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
    const day = dayOf(eventOf(item).ts.ms);
    const values = days.get(day);
    if (values === undefined) days.set(day, [toValue(item)]);
    else values.push(toValue(item));
  }
  return new Map([...days].map(([day, values]) => [nameOfDay(eventDays, day), values]));
}

function toDocument({ event, at, late, weak }: LoggedEvent): EventDocument {
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
    weak: weak || undefined,
  };
}
