import type { Outbox } from "@asset-register/events";
import type { Mongo } from "@asset-register/mongo";
import type { Logger } from "@asset-register/runtime";
import { readerEvent } from "../published.ts";
import type { Activity, ReaderStore } from "../store/readers.ts";

export type ReaderActivity = {
  /** Counts what a reader did. Costs no call. */
  note(activity: Activity): void;
  start(): void;
  /** Writes what was noted. */
  stop(): Promise<void>;
};

type Deps = {
  mongo: Mongo;
  outbox: Outbox;
  readers: Pick<ReaderStore, "observe" | "tell">;
  logger: Logger;
  /** A reader's row is written at most this often. */
  storeEveryMs: number;
};

type Noted = Activity & { dirty: boolean; storedAt: number };

const TICK_MS = 1_000;
/** Liveness is told to others at most once a minute. */
const TELL_EVERY_MS = 60_000;
/** Of one transaction. */
const TELL_TOGETHER = 100;
/** A reader that is silent so long is forgotten here. */
const FORGET_MS = 600_000;

/**
 * Gathers liveness, counters and clock skew of readers in memory and writes
 * them in bulk: a fleet must not cost a write a request. A kill loses at most
 * what was counted since the last write.
 */
export function createReaderActivity(deps: Deps): ReaderActivity {
  const { mongo, outbox, readers, logger, storeEveryMs } = deps;
  const noted = new Map<string, Noted>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function tell(activities: readonly Noted[]): Promise<void> {
    for (let from = 0; from < activities.length; from += TELL_TOGETHER) {
      const together = activities.slice(from, from + TELL_TOGETHER);
      await mongo.transaction({}, async (session) => {
        for (const { workspaceId, readerId, at } of together) {
          if (at === undefined) continue;
          const since = new Date(at.getTime() - TELL_EVERY_MS);
          const reader = await readers.tell(workspaceId, readerId, at, since, session);
          if (reader !== undefined) await outbox.add(session, readerEvent(reader, "seen", at));
        }
      });
    }
  }

  async function flush(now: number, all: boolean): Promise<void> {
    const due = [...noted.values()]
      .filter(({ dirty, storedAt }) => dirty && (all || now - storedAt >= storeEveryMs))
      .map((entry) => ({ entry, written: { ...entry } }));
    for (const { entry } of due) Object.assign(entry, { dirty: false, storedAt: now });
    for (const [key, { dirty, storedAt }] of noted) {
      if (!dirty && now - storedAt > FORGET_MS) noted.delete(key);
    }
    const activities = due.map(({ written }) => written);
    try {
      await readers.observe(activities);
      // Only now, and no more than that: what was noted meanwhile is for the next time.
      for (const { entry, written } of due) {
        entry.accepted -= written.accepted;
        entry.rejected -= written.rejected;
        if (entry.skewMs === written.skewMs) delete entry.skewMs;
      }
      await tell(activities.filter(({ at }) => at !== undefined));
    } catch (error) {
      for (const { entry } of due) entry.dirty = true;
      logger.warn({ err: error, readers: due.length }, "activity of readers not written, it is tried again");
    }
  }

  return {
    note(activity) {
      const { readerId, at, skewMs } = activity;
      const before = noted.get(readerId);
      if (before === undefined) {
        noted.set(readerId, { ...activity, dirty: true, storedAt: 0 });
        return;
      }
      before.accepted += activity.accepted;
      before.rejected += activity.rejected;
      before.dirty = true;
      if (at !== undefined) before.at = at;
      // Delay only makes a sample smaller: the largest is the nearest to the truth.
      if (skewMs !== undefined) before.skewMs = Math.max(before.skewMs ?? skewMs, skewMs);
    },
    start() {
      timer = setInterval(() => {
        writing = writing.then(() => flush(Date.now(), false));
      }, TICK_MS);
    },
    async stop() {
      clearInterval(timer);
      await writing;
      await flush(Date.now(), true);
    },
  };
}
