import { backoff, type Logger, sleep } from "@asset-register/runtime";
import type { Claimed, Claims } from "./claims.ts";

const RETRY = { baseMs: 100, maxMs: 5_000 };

export type WorkerSettings = {
  claims: Claims;
  /** Works on a record until it is done or gives way. Does not throw. */
  work(claimed: Claimed): Promise<void>;
  concurrency: number;
  sweepMs: number;
  logger: Logger;
};

export type Worker = {
  /** A record may wait. */
  nudge(): void;
  /** Claims and works until the signal is aborted, and ends when what is under way has ended. */
  run(signal: AbortSignal): Promise<void>;
};

/** Takes records that wait, as many at once as it may. */
export function createWorker({ claims, work, concurrency, sweepMs, logger }: WorkerSettings): Worker {
  let woken = new AbortController();
  const running = new Set<Promise<void>>();

  /** Claims what it can; whether anything is left to look at when a place gets free. */
  async function fill(signal: AbortSignal): Promise<void> {
    for (const key of await claims.candidates()) {
      if (signal.aborted || running.size >= concurrency) return;
      const claimed = await claims.claim(key).catch((error: unknown) => {
        logger.debug({ err: error, record: key._id }, "not claimed, the next sweep tries again");
        return undefined;
      });
      if (claimed === undefined) continue;
      const job: Promise<void> = work(claimed).finally(() => {
        running.delete(job);
        nudge();
      });
      running.add(job);
    }
  }

  const nudge = () => woken.abort();

  async function loop(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      woken = new AbortController();
      try {
        if (running.size < concurrency) await fill(signal);
        failures = 0;
        await sleep(sweepMs, AbortSignal.any([signal, woken.signal])).catch(() => undefined);
      } catch (error) {
        logger.warn({ err: error }, "long work is not looked for, it is tried again");
        failures += 1;
        await sleep(backoff(failures, RETRY), signal).catch(() => undefined);
      }
    }
  }

  return {
    nudge,
    async run(signal) {
      await loop(signal);
      await Promise.all(running);
    },
  };
}
