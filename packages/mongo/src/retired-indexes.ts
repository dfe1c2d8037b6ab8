import { type Logger, sleep } from "@asset-register/runtime";
import { type Migration, migrationRows } from "./migrate.ts";
import { internals, type Mongo } from "./mongo.ts";

/** Indexes that a migration has replaced with others. */
export type RetiredIndexes = { collection: string; names: readonly string[]; replacedBy: Migration };

/** So long after the start of this one, no process of the previous release runs: it names the indexes in its queries. */
const ROLLOUT_MS = 3_600_000;
const POLL_MS = 60_000;

/**
 * Drops retired indexes when this process has run for an hour. Then it has nothing left to do. The time of the migration
 * says less: after a rollback, the next rollout begins when the migration is long applied.
 */
export function createIndexRetirement(
  { mongo, logger }: { mongo: Mongo; logger: Logger },
  retired: RetiredIndexes,
  { rolloutMs = ROLLOUT_MS, pollMs = POLL_MS } = {},
): { start(): void; stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> = Promise.resolve();

  async function run(): Promise<void> {
    const pause = (ms: number) => sleep(ms, signal).catch(() => undefined);
    await pause(rolloutMs);
    while (!signal.aborted) {
      try {
        if (await dropRetired(mongo, retired)) return;
      } catch (error) {
        logger.warn({ err: error }, "retired indexes not dropped, retrying");
      }
      await pause(pollMs);
    }
  }

  return {
    start: () => {
      running = run();
    },
    stop: () => {
      stopping.abort(new Error("the retirement of indexes stops"));
      return running;
    },
  };
}

/** Whether none of the indexes is left. False in a database without their successors, such as a restored backup. */
async function dropRetired(
  mongo: Mongo,
  { collection, names, replacedBy }: RetiredIndexes,
): Promise<boolean> {
  if ((await migrationRows(mongo).findOne({ _id: replacedBy.id })) === null) return false;
  const { db } = mongo[internals];
  const present = await db.collection(collection).indexes();
  const index = present.map(({ name }) => name).filter((name) => name !== undefined && names.includes(name));
  if (index.length > 0) await db.command({ dropIndexes: collection, index });
  return true;
}
