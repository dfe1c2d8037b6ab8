import type { Logger, Metrics } from "@asset-register/runtime";
import { type ReadCounter, readCounters } from "./domain/readers/ignored-counts.ts";
import { HEALTH_MINUTES, minuteOf } from "./domain/readers/reader-health.ts";
import type { CountedReads } from "./store/readers/read-counts.ts";

/** Counts what the worker noted about the reads of readers. */
export type ReadCounters = {
  note(reader: { workspaceId: string; readerId: string }, counter: ReadCounter, count?: number): void;
  start(): void;
  /** Writes what was noted. */
  stop(): Promise<void>;
};

const WRITE_EVERY_MS = 10_000;

/**
 * Collects the counters in memory and writes them every 10 s, as those of ingest: a kill loses at most that. They are
 * noted after the commit, because a transaction may run twice.
 */
export function createReadCounters(
  store: { add(counted: readonly CountedReads[]): Promise<void> },
  { logger, metrics, now }: { logger: Logger; metrics: Metrics; now: () => Date },
): ReadCounters {
  const total = metrics.counter({
    name: "reads_noted_total",
    help: "Accepted reads that moved nothing, by the reason, and moves of tags that flap.",
    labelNames: ["counter"],
  });
  const noted = new Map<string, CountedReads>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  function add(counted: CountedReads): void {
    const key = `${counted.readerId}:${counted.minute}`;
    const sum = noted.get(key) ?? {
      ...counted,
      ...Object.fromEntries(readCounters.map((name) => [name, 0])),
    };
    for (const name of readCounters) sum[name] = (sum[name] ?? 0) + (counted[name] ?? 0);
    noted.set(key, sum);
  }

  async function write(): Promise<void> {
    const taken = [...noted.values()];
    noted.clear();
    if (taken.length === 0) return;
    try {
      await store.add(taken);
    } catch (error) {
      const oldest = minuteOf(now()) - HEALTH_MINUTES;
      // Health does not show older ones. So a long failure needs no more memory.
      for (const counted of taken) if (counted.minute > oldest) add(counted);
      logger.warn({ err: error }, "counters of reads not written; it will be retried");
    }
  }

  return {
    note({ workspaceId, readerId }, counter, count = 1) {
      total.inc({ counter }, count);
      add({ workspaceId, readerId, minute: minuteOf(now()), [counter]: count });
    },
    start() {
      timer = setInterval(() => {
        writing = writing.then(write);
      }, WRITE_EVERY_MS);
    },
    async stop() {
      clearInterval(timer);
      await writing;
      await write();
    },
  };
}
