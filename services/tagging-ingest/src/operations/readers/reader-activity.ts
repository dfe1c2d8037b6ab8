import type { Context, Stores } from "../../context.ts";
import { addMinutes, type MinuteCount, minuteOf } from "../../domain/reader-health.ts";
import { readerHeard } from "../../published.ts";
import type { HeardReader } from "../../store/reader-liveness.ts";
import type { Activity } from "../../store/readers.ts";

export type ReaderActivity = {
  /** Counts what a reader did, in memory. */
  note(observed: Observed): void;
  start(): void;
  /** Writes what was noted. */
  stop(): Promise<void>;
};

type Parts = Pick<Context, "mongo" | "outbox" | "logger" | "now"> & {
  stores: {
    readers: Pick<Stores["readers"], "observe">;
    readerLiveness: Pick<Stores["readerLiveness"], "unpublished">;
  };
};

type Noted = Activity & {
  minutes: readonly MinuteCount[];
  dirty: boolean;
  storedAt: number;
  publishedMinute?: number | undefined;
};

/** `codes`: the error codes of the rejected events, and how many have each. */
type Observed = Omit<Activity, "minutes"> & { codes?: Readonly<Record<string, number>> };

const TICK_MS = 1_000;
/** Readers in one transaction. Transactions of replicas that write the same reader conflict, so they are short. */
const WRITTEN_TOGETHER = 250;
/** A reader that is silent for longer than this is forgotten here. */
const FORGET_MS = 600_000;

/**
 * Collects liveness, counters and clock skew of readers in memory and writes them in bulk, because a large fleet must
 * not cost one write for each request. A killed process loses what was counted since the last write.
 * `storeEveryMs`: the row of a reader is written at most this often.
 */
export function createReaderActivity(
  { mongo, outbox, logger, now: clock, stores: { readers, readerLiveness } }: Parts,
  { storeEveryMs }: { storeEveryMs: number },
): ReaderActivity {
  const noted = new Map<string, Noted>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  /** Rows and events in one transaction: it is cheaper for the database, and what failed is written once. */
  async function store(activities: readonly Noted[]): Promise<void> {
    const heard = activities.flatMap(({ workspaceId, readerId, at, publishedMinute }): HeardReader[] =>
      at === undefined || minuteOf(at) === publishedMinute ? [] : [{ workspaceId, readerId, at }],
    );
    await mongo.transaction({}, async (session) => {
      const published = await readerLiveness.unpublished(heard, session);
      const times = new Map(published.map(({ readerId, at }) => [readerId, at]));
      await readers.observe(
        activities.map((activity) => ({ ...activity, publishedAt: times.get(activity.readerId) })),
        session,
      );
      await outbox.add(session, ...published.map(readerHeard));
    });
  }

  async function write(entries: readonly Noted[], now: number): Promise<void> {
    const due = entries.map((entry) => ({ entry, written: { ...entry } }));
    for (const entry of entries) Object.assign(entry, { dirty: false, storedAt: now, minutes: [] });
    try {
      await store(due.map(({ written }) => written));
    } catch (error) {
      for (const { entry, written } of due) {
        entry.minutes = addMinutes(written.minutes, entry.minutes);
        entry.dirty = true;
      }
      throw error;
    }
    // Only what was written: the rest was noted in the meantime.
    for (const { entry, written } of due) {
      entry.accepted -= written.accepted;
      entry.rejected -= written.rejected;
      if (entry.skewMs === written.skewMs) entry.skewMs = undefined;
      entry.publishedMinute = written.at && minuteOf(written.at);
    }
  }

  async function flush(all: boolean): Promise<void> {
    const now = performance.now();
    const due = [...noted.values()].filter(
      ({ dirty, storedAt }) => dirty && (all || now - storedAt >= storeEveryMs),
    );
    for (const [key, { dirty, storedAt }] of noted) {
      if (!dirty && now - storedAt > FORGET_MS) noted.delete(key);
    }
    try {
      for (let from = 0; from < due.length; from += WRITTEN_TOGETHER) {
        await write(due.slice(from, from + WRITTEN_TOGETHER), now);
      }
    } catch (error) {
      logger.warn({ err: error, readers: due.length }, "activity of readers not written; it will be retried");
    }
  }

  return {
    note({ codes: rejectedByCode = {}, ...activity }) {
      const { readerId, at, skewMs, accepted, rejected } = activity;
      const count = { minute: minuteOf(clock()), accepted, rejected: rejectedByCode };
      const counted = accepted + rejected > 0 ? [count] : [];
      const before = noted.get(readerId);
      if (before === undefined) {
        const storedAt = Number.NEGATIVE_INFINITY;
        noted.set(readerId, { ...activity, minutes: counted, dirty: true, storedAt });
        return;
      }
      before.accepted += accepted;
      before.rejected += rejected;
      before.minutes = addMinutes(before.minutes, counted);
      before.dirty = true;
      if (at !== undefined) before.at = at;
      // Delay only makes a sample smaller, so the largest sample is the best.
      if (skewMs !== undefined) before.skewMs = Math.max(before.skewMs ?? skewMs, skewMs);
    },
    start() {
      timer = setInterval(() => {
        writing = writing.then(() => flush(false));
      }, TICK_MS);
    },
    async stop() {
      clearInterval(timer);
      await writing;
      await flush(true);
    },
  };
}
