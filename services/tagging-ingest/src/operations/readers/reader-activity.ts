import { batches } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { learnDelays } from "../../domain/ingest/slow-clock.ts";
import { addObserved, type Observed } from "../../domain/readers/reader-activity.ts";
import { minuteOf } from "../../domain/readers/reader-health.ts";
import { readerLiveness as livenessEvent } from "../../published.ts";
import type { HeardReader } from "../../store/readers/reader-liveness.ts";
import type { Activity } from "../../store/readers/readers.ts";
import type { Turn } from "../../store/readers/shared-activity.ts";

export type ReaderActivity = {
  /** Counts what a reader did, in memory. */
  note(seen: Seen): void;
  start(): void;
  /** Writes what was noted. */
  stop(): Promise<void>;
};

type Noted = Observed & {
  workspaceId: string;
  readerId: string;
  dirty: boolean;
  storedAt: number;
  publishedMinute?: number | undefined;
};

/**
 * `codes`: the error codes of rejected events and of wrong signatures, and how many have each. `duplicate`: how many of
 * the accepted events are repeats. `delayMs`: how much later than its own time an event was received.
 */
type Seen = Omit<Activity, "minutes" | "delays"> & {
  codes?: Readonly<Record<string, number>>;
  duplicate?: number;
  delayMs?: number | undefined;
};

const TICK_MS = 1_000;
/** Readers in one transaction. Transactions of replicas that write the same reader conflict, so they are short. */
const WRITTEN_TOGETHER = 250;
/** A reader that is silent for longer than this is forgotten here. */
const FORGET_MS = 600_000;

/** A turn ends a little before the next write of its replica is due, so that the same replica gets the next one. */
const TURN_PART = 0.9;
const NOTHING: Observed = { accepted: 0, rejected: 0 };
const clean = { ...NOTHING, at: undefined, skewMs: undefined, minutes: [], delays: [], dirty: false };

/**
 * Collects liveness, counters and clock skew of readers in memory and writes them in bulk, because a large fleet must
 * not cost one write for each request. Replicas share what they collected, and one of them writes it. So the writes do not
 * grow with the number of replicas. While Redis is unavailable, each writes its own. A killed process loses what was
 * counted since the last write. `storeEveryMs`: the row of a reader is written at most this often.
 */
export function createReaderActivity(
  context: Context,
  { storeEveryMs }: { storeEveryMs: number },
): ReaderActivity {
  const { mongo, outbox, logger, now: clock } = context;
  const { readers, readerHours, readerLiveness, sharedActivity } = context.stores;
  const noted = new Map<string, Noted>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  /** Rows, hours and events in one transaction: it is cheaper for the database, and what failed is written once. */
  async function store(activities: readonly Activity[]): Promise<void> {
    if (activities.length === 0) return;
    const heard = activities.flatMap(({ workspaceId, readerId, at }): HeardReader[] =>
      at === undefined || minuteOf(at) === noted.get(readerId)?.publishedMinute
        ? []
        : [{ workspaceId, readerId, at }],
    );
    const delayed = activities.filter(({ delays = [] }) => delays.length > 0);
    await mongo.transaction({}, async (session) => {
      const published = await readerLiveness.unpublished(heard, session);
      const liveness = new Map(published.map((one) => [one.readerId, one]));
      const ids = delayed.map(({ readerId }) => readerId);
      const clocks = await readerLiveness.slowClocks(ids, session);
      const present = minuteOf(clock());
      await readers.observe(
        activities.map((activity) => {
          const { readerId, delays = [] } = activity;
          const slowClock =
            delays.length > 0 ? learnDelays(clocks.get(readerId), delays, present) : undefined;
          const { at: publishedAt, sequence: livenessSequence } = liveness.get(readerId) ?? {};
          return { ...activity, publishedAt, livenessSequence, slowClock };
        }),
        session,
      );
      await readerHours.add(activities, session);
      await outbox.add(session, ...published.map(livenessEvent));
    });
  }

  /** The activity of these readers that this replica has to write. */
  async function share(activities: readonly Activity[], turnMs: number): Promise<readonly Turn[]> {
    try {
      return await sharedActivity.share(activities, turnMs);
    } catch (error) {
      logger.debug({ err: error }, "activity not shared");
      return activities;
    }
  }

  async function write(entries: readonly Noted[], now: number, turnMs: number): Promise<void> {
    const collected = entries.map(collectedOf);
    for (const entry of entries) Object.assign(entry, clean, { storedAt: now });
    const turns = await share(collected, turnMs);
    const due = entries.flatMap((entry, at) => {
      const turn = turns[at];
      if (turn === "later") entry.dirty = true;
      return typeof turn === "object" ? [{ entry, written: turn }] : [];
    });
    try {
      await store(due.map(({ written }) => written));
    } catch (error) {
      for (const { entry, written } of due)
        Object.assign(entry, addObserved(written, entry), { dirty: true });
      throw error;
    }
    for (const { entry, written } of due) {
      if (written.at) entry.publishedMinute = minuteOf(written.at);
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
      for (const some of batches(due, WRITTEN_TOGETHER)) {
        await write(some, now, all ? 0 : storeEveryMs * TURN_PART);
      }
    } catch (error) {
      logger.warn({ err: error, readers: due.length }, "activity of readers not written; it will be retried");
    }
  }

  return {
    note({ workspaceId, readerId, codes = {}, duplicate = 0, delayMs, ...seen }) {
      const minute = minuteOf(clock());
      const minutes =
        seen.accepted + seen.rejected > 0 || Object.keys(codes).length > 0
          ? [{ minute, accepted: seen.accepted, duplicate, rejected: codes }]
          : [];
      const delays = delayMs === undefined ? [] : [{ minute, reads: 1, leastMs: delayMs }];
      const before = noted.get(readerId) ?? {
        ...NOTHING,
        workspaceId,
        readerId,
        storedAt: Number.NEGATIVE_INFINITY,
      };
      const after = Object.assign(before, addObserved(before, { ...seen, minutes, delays }), { dirty: true });
      noted.set(readerId, after);
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

function collectedOf(entry: Noted): Activity {
  const { workspaceId, readerId, at, accepted, rejected, skewMs, minutes, delays } = entry;
  return { workspaceId, readerId, at, accepted, rejected, skewMs, minutes, delays };
}
