import { backoff, type Logger, sleep } from "@asset-register/runtime";
import type { Claimed, Claims } from "./claims.ts";

const RETRY = { baseMs: 100, maxMs: 5_000 };

/** The interval of the search grows by this factor up to its double while nothing is found. */
const IDLE = { growth: 1.2, longest: 2 };

export type WorkerSettings = {
  claims: Claims;
  /** Processes a record until it is finished or its time slice is over. Never throws. */
  work(claimed: Claimed): Promise<void>;
  concurrency: number;
  sweepMs: number;
  logger: Logger;
};

export type Worker = {
  /** Searches for waiting records immediately. */
  wake(): void;
  /** Claims and processes records until the signal is aborted. Resolves when the current records are released. */
  run(signal: AbortSignal): Promise<void>;
};

/** Creates a worker, which claims waiting records up to its concurrency. */
export function createWorker({ claims, work, concurrency, sweepMs, logger }: WorkerSettings): Worker {
  let woken = new AbortController();
  const running = new Set<Promise<void>>();

  /** Claims waiting records until `concurrency` is reached. Returns whether it has found some. */
  async function fill(signal: AbortSignal): Promise<boolean> {
    const found = await claims.candidates();
    for (const key of found) {
      if (signal.aborted || running.size >= concurrency) break;
      const claimed = await claims.claim(key).catch((error: unknown) => {
        logger.debug({ err: error, record: key._id }, "record not claimed, the next sweep retries");
        return undefined;
      });
      if (claimed === undefined) continue;
      const job: Promise<void> = work(claimed).finally(() => {
        running.delete(job);
        wake();
      });
      running.add(job);
    }
    return found.length > 0;
  }

  const wake = () => woken.abort();

  async function loop(signal: AbortSignal): Promise<void> {
    let pause = sweepMs;
    for (let failures = 0; !signal.aborted; ) {
      woken = new AbortController();
      try {
        const hasFound = running.size < concurrency && (await fill(signal));
        pause =
          hasFound || running.size > 0 ? sweepMs : Math.min(IDLE.longest * sweepMs, pause * IDLE.growth);
        failures = 0;
        await sleep(pause, AbortSignal.any([signal, woken.signal])).catch(() => undefined);
      } catch (error) {
        logger.warn({ err: error }, "search for long work failed, it is retried");
        failures += 1;
        await sleep(backoff(failures, RETRY), signal).catch(() => undefined);
      }
    }
  }

  return {
    wake,
    async run(signal) {
      await loop(signal);
      await Promise.all(running);
    },
  };
}
