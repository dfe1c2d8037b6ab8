import type { Mongo } from "@asset-register/mongo";
import type { Logger } from "@asset-register/runtime";
import { WORKSPACES, type WorkspaceDocument } from "./store/workspaces.ts";

export type DatabaseClock = { now(): Date; stop(): void };

/** Between two looks: a monotonic clock strays by less than a millisecond in this time. */
const LOOK_EVERY_MS = 10_000;
/** A slower answer tells the time too roughly to be worth more than the look before. */
const SLOW_MS = 500;

/**
 * The database's time ($$NOW), by which all replicas agree, whatever their own
 * clocks say: a token is spent by one replica and judged by another. Asked for
 * every 10 s and carried on by the process's monotonic clock, so that it costs
 * no round trip a call; wrong by half of the look's round trip at most.
 */
export async function databaseClock(mongo: Mongo, logger: Logger): Promise<DatabaseClock> {
  const workspaces = mongo.collection<WorkspaceDocument>(WORKSPACES);
  // A facet gives one row of nothing at all, which can carry the time.
  const question = [
    { $match: { workspaceId: "none" } },
    { $limit: 1 },
    { $facet: { none: [{ $limit: 1 }] } },
    { $project: { now: "$$NOW" } },
  ];

  async function look(): Promise<{ ahead: number; took: number }> {
    const asked = performance.now();
    const [row] = await workspaces.aggregate<{ now: Date }>(question).toArray();
    const answered = performance.now();
    if (row === undefined) throw new Error("the database did not tell the time");
    return { ahead: row.now.getTime() - (asked + answered) / 2, took: answered - asked };
  }

  let { ahead } = await look();
  const timer = setInterval(() => {
    look().then(
      (seen) => {
        if (seen.took < SLOW_MS) ahead = seen.ahead;
      },
      (error: unknown) => logger.warn({ error }, "the database's clock could not be read"),
    );
  }, LOOK_EVERY_MS).unref();
  return { now: () => new Date(performance.now() + ahead), stop: () => clearInterval(timer) };
}
