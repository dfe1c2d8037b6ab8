import { limits } from "@asset-register/proto/limits";
import { BufferFullError } from "../inputs/input.ts";
import { createBatchRows, type PendingBatch } from "./batch-rows.ts";
import type { BufferOptions, BufferState, FormBatch, Waiting } from "./buffer-types.ts";
import { isDiskFull, openDatabase } from "./database.ts";
import { firstReadOfBoot } from "./first-read-of-boot.ts";
import { createGroupCommit } from "./group-commit.ts";
import { createLiveBoundary } from "./live-boundary.ts";
import { createReadRows, EVERY_ID, type NewRead, type Range, type StoredRead } from "./read-rows.ts";
import { createReaderKeys } from "./reader-keys.ts";
import { createRefusedRows, type RefusedEvent, type RefusedFilter, readOfRefused } from "./refused-rows.ts";
import { createRoom } from "./room.ts";
import { createBacklogThinning, type MergeRows } from "./thin-backlog.ts";

/** The durable queue between readers and the platform. */
export type ReadBuffer = ReturnType<typeof openBuffer>;

/** A batch without repeats uses all of these but one. */
const FIRST_ROWS = limits.events + 1;
/** With repeats, a batch is made from at most so many rows. Reading them takes 20 ms, in which nothing else happens. */
const MOST_ROWS = 8 * FIRST_ROWS;
const DROPPED_AT_ONCE = 1_000;

/**
 * Opens the buffer. Every method that changes it resolves when the change is on the disk.
 * @throws Error if another agent uses the file
 */
export function openBuffer(options: BufferOptions) {
  const { file, maxBytes, monotonic } = options;
  const db = openDatabase(file);
  const keys = createReaderKeys(db, options.readers);
  const [reads, batches, refused] = [
    createReadRows(db),
    createBatchRows(db, keys),
    createRefusedRows(db, keys),
  ];
  const room = createRoom(db, file, maxBytes, options.minFreeBytes);
  const group = createGroupCommit(db, room.changed);
  const stored = reads.count();
  const rows = new Map(stored.map(({ reader, rows }) => [reader, rows]));
  const boot = firstReadOfBoot(db, options.bootId, Math.max(0, ...stored.map(({ last }) => last)) + 1);
  let lastId = boot.last;
  const boundary = createLiveBoundary(lastId);
  const pending = new Map(batches.all().map((batch) => [batch.nonce, batch]));
  const dropped = { full: 0, old: 0 };
  const thinning = createBacklogThinning(reads, boot.firstRead);

  const add = (key: number, change: number): void => {
    rows.set(key, (rows.get(key) ?? 0) + change);
  };
  const live = (): Range => ({ live: true, after: boundary.at(monotonic()), upTo: EVERY_ID });
  /** Reads that got old here, and reads that were old when they came. */
  const backlog = (): Range[] => [
    { live: true, after: 0, upTo: boundary.at(monotonic()) },
    { live: false, after: 0, upTo: EVERY_ID },
  ];
  /** The range whose first row is the oldest. */
  const oldestOf = (readers: readonly number[], ranges: readonly Range[]) =>
    readers
      .filter((reader) => (rows.get(reader) ?? 0) > 0)
      .flatMap((reader) => ranges.map((range) => ({ reader, range, id: reads.idAt(reader, range, 0) })))
      .filter(({ id }) => id !== undefined)
      .sort((a, b) => (a.id ?? 0) - (b.id ?? 0))[0];
  const oldestRow = () => {
    const every = [true, false].map((live) => ({ live, after: 0, upTo: EVERY_ID }));
    return oldestOf([...rows.keys()], every);
  };

  /** Removes the oldest rows, as long as `isDue` says so of the first one. Returns how many rows of which reader. */
  const removeOldest = (count: number, isDue: (read: StoredRead) => boolean = () => true) => {
    const found = oldestRow();
    if (found === undefined) return undefined;
    const { reader, range } = found;
    const first = reads.oldest(reader, range, count, boot.firstRead);
    const kept = first.findIndex(({ read }) => !isDue(read));
    const last = first.at(kept < 0 ? -1 : kept - 1);
    if (kept === 0) return undefined;
    return last && { reader, removed: reads.remove(reader, { ...range, upTo: last.id }) };
  };

  /** The readers whose refused events are meant. */
  const refusedReaders = ({ reader }: RefusedFilter): string[] => {
    if (reader === undefined) return [...new Set(refused.byCode().map((sum) => sum.reader))];
    keys.keyOf(reader);
    return [reader];
  };

  /** Reads more rows as long as the batch has room for them. */
  const formFrom = (key: number, range: Range, formBatch: FormBatch) => {
    for (let rows = FIRST_ROWS; ; rows *= 2) {
      const found = reads.oldest(key, range, rows, boot.firstRead);
      const formed = formBatch(found.map(({ read }) => read));
      const hasRoom = formed.used === found.length && found.length === rows;
      if (!hasRoom || rows >= MOST_ROWS) return { found, ...formed };
    }
  };

  return {
    /**
     * Stores reads of one reader.
     * @throws BufferFullError if there is no room
     */
    async accept(reader: string, added: readonly NewRead[]): Promise<void> {
      if (added.length === 0) return;
      const key = keys.keyOf(reader);
      const full = room.fullReason();
      if (full !== undefined && options.whenFull === "refuse") throw new BufferFullError(full);
      const store = () => {
        const count = Math.max(DROPPED_AT_ONCE, added.length);
        const replaced = full === undefined ? undefined : removeOldest(count);
        for (const read of added) {
          lastId += 1;
          reads.insert(key, lastId, read);
        }
        return { last: lastId, replaced };
      };
      try {
        await group.write(store, ({ last, replaced }) => {
          add(key, added.length);
          boundary.note(last, monotonic());
          if (replaced === undefined) return;
          add(replaced.reader, -replaced.removed);
          dropped.full += replaced.removed;
        });
      } catch (error) {
        throw isDiskFull(error) ? new BufferFullError("The disk is full.", { cause: error }) : error;
      }
    },

    waiting(reader: string): Waiting {
      const key = keys.keyOf(reader);
      if ((rows.get(key) ?? 0) === 0) return { liveSince: undefined, backlog: false };
      const [oldest] = reads.oldest(key, live(), 1, boot.firstRead);
      return {
        liveSince: oldest?.read.monotonic,
        backlog: backlog().some((range) => reads.idAt(key, range, 0) !== undefined),
      };
    },

    /** Moves the oldest rows of a reader into a batch. Undefined if it has none. */
    form(reader: string, isLive: boolean, formBatch: FormBatch): Promise<PendingBatch | undefined> {
      const key = keys.keyOf(reader);
      const move = () => {
        const range = isLive ? live() : oldestOf([key], backlog())?.range;
        if (range === undefined) return undefined;
        const { found, used, ...formed } = formFrom(key, range, formBatch);
        if (found.length === 0) return undefined;
        const oldestAt = found[0]?.read.received ?? 0;
        const batch = { ...formed, oldestAt, reader, live: isLive, formed: monotonic() };
        batches.insert(batch);
        return { batch, removed: reads.remove(key, { ...range, upTo: found[used - 1]?.id ?? 0 }) };
      };
      return group
        .write(move, (moved) => {
          if (moved === undefined) return;
          add(key, -moved.removed);
          pending.set(moved.batch.nonce, moved.batch);
        })
        .then((moved) => moved?.batch);
    },

    /** Puts repeats among rows of the backlog together, some at a time, so that an outage needs less room. */
    async thinBacklog(reader: string, merge: MergeRows): Promise<void> {
      const key = keys.keyOf(reader);
      const upTo = boundary.at(monotonic());
      if ((rows.get(key) ?? 0) === 0) return;
      await group.write(
        () => thinning.step(key, upTo, merge),
        (removed) => add(key, -removed),
      );
    },

    /** Ends a batch that the platform has answered. Its refused events are kept aside. */
    settle(batch: PendingBatch, refusedEvents: readonly RefusedEvent[]): Promise<void> {
      const end = (): void => {
        batches.remove(batch.nonce);
        refused.insert(refusedEvents);
      };
      return group.write(end, () => void pending.delete(batch.nonce));
    },

    /** Batches that are not answered, the oldest first. */
    pending: (): PendingBatch[] => [...pending.values()],
    isEmpty: (): boolean => pending.size === 0 && [...rows.values()].every((count) => count === 0),
    refused,

    /**
     * Puts refused events into the backlog again. Each keeps its time, so the platform takes one that it has for a duplicate.
     * Those of readers that are not configured stay, since nobody sends them. Returns how many were moved.
     * @throws Error if there is no such reader
     */
    async retryRefused(filter: RefusedFilter): Promise<number> {
      const readers = refusedReaders(filter).filter((reader) => options.readers.includes(reader));
      const move = () =>
        readers.map((reader) => {
          const key = keys.keyOf(reader);
          const events = refused.of(reader, filter.code);
          for (const event of events) {
            lastId += 1;
            reads.insert(key, lastId, readOfRefused(event, monotonic()));
          }
          refused.remove(reader, filter.code);
          return { key, count: events.length };
        });
      const moved = await group.write(move, (counts) => {
        for (const { key, count } of counts) add(key, count);
      });
      return moved.reduce((sum, { count }) => sum + count, 0);
    },

    /**
     * Forgets refused events. Returns how many.
     * @throws Error if there is no such reader
     */
    dropRefused: (filter: RefusedFilter): Promise<number> =>
      group.write(() =>
        refusedReaders(filter).reduce((sum, reader) => sum + refused.remove(reader, filter.code), 0),
      ),

    /** Reads of a reader that wait, and its events in batches that are not answered. */
    waitingOf: (reader: string): number =>
      [...pending.values()]
        .filter((batch) => batch.reader === reader)
        .reduce((sum, { events }) => sum + events, rows.get(keys.keyOf(reader)) ?? 0),

    /**
     * Drops the oldest reads, as long as `isDue` says so, and batches with reads from before `oldestAt` whose reader is no
     * longer configured: nobody sends them.
     */
    async dropOld(isDue: (read: StoredRead) => boolean, oldestAt: number): Promise<void> {
      const abandoned = [...pending.values()].filter(({ reader }) => !options.readers.includes(reader));
      for (const { nonce, events } of abandoned.filter((batch) => batch.oldestAt < oldestAt)) {
        await group.write(
          () => batches.remove(nonce),
          () => {
            if (pending.delete(nonce)) dropped.old += events;
          },
        );
      }
      for (;;) {
        const removed = await group.write(
          () => removeOldest(DROPPED_AT_ONCE, isDue),
          (found) => {
            if (found === undefined) return;
            add(found.reader, -found.removed);
            dropped.old += found.removed;
          },
        );
        if (removed === undefined) return;
      }
    },

    state(): BufferState {
      const inBatches = [...pending.values()].reduce((sum, { events }) => sum + events, 0);
      const first = oldestRow();
      const [oldest] = first ? reads.oldest(first.reader, first.range, 1, boot.firstRead) : [];
      return {
        rows: [...rows.values()].reduce((sum, count) => sum + count, inBatches),
        bytes: room.usedBytes(),
        maxBytes,
        oldestAt: leastOf([oldest?.read.received, ...[...pending.values()].map((batch) => batch.oldestAt)]),
        full: room.fullReason(),
        dropped: { ...dropped },
      };
    },

    close(): void {
      group.flush();
      db.close();
    },
  };
}

const leastOf = (values: readonly (number | undefined)[]): number | undefined => {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
};
