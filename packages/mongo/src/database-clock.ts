import type { Logger } from "@asset-register/runtime";
import type { Mongo } from "./mongo.ts";

/** `now` may be called only after `start`. */
export type DatabaseClock = { now(): Date; start(): Promise<void>; stop(): void };

/** Between two readings a monotonic clock drifts by less than a millisecond. */
const READ_EVERY_MS = 10_000;
/** A slower answer is less exact than the previous reading. */
const SLOW_MS = 500;

/**
 * The database's time ($$NOW). All replicas agree on it although their own clocks differ, so that one may judge what
 * another one did. It is read every 10 s, and the monotonic clock of the process carries it on, so a call needs
 * no round trip. The error is at most half of the round trip of a reading.
 */
export function createDatabaseClock(mongo: Mongo, logger: Logger): DatabaseClock {
  let ahead: number | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function read(): Promise<{ ahead: number; took: number }> {
    const asked = performance.now();
    const [row] = await mongo
      .collection("none")
      // A facet gives one row even without documents. The row can carry the time.
      .aggregate<{ now: Date }>([
        { $match: { workspaceId: "none" } },
        { $limit: 1 },
        { $facet: { none: [{ $limit: 1 }] } },
        { $project: { now: "$$NOW" } },
      ])
      .toArray();
    const answered = performance.now();
    if (row === undefined) throw new Error("the database answered without a time");
    return { ahead: row.now.getTime() - (asked + answered) / 2, took: answered - asked };
  }

  async function correct(): Promise<void> {
    try {
      const reading = await read();
      if (reading.took < SLOW_MS) ahead = reading.ahead;
    } catch (error) {
      logger.warn({ error }, "the database's clock could not be read");
    }
  }

  return {
    now() {
      if (ahead === undefined) throw new Error("the database's clock has not started");
      return new Date(performance.now() + ahead);
    },
    async start() {
      ({ ahead } = await read());
      timer = setInterval(correct, READ_EVERY_MS).unref();
    },
    stop: () => clearInterval(timer),
  };
}
