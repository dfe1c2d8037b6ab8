import { randomUUID } from "node:crypto";
import { type Logger, retryForever, sleep } from "@asset-register/runtime";
import { createLease } from "./lease.ts";
import type { Mongo } from "./mongo.ts";
import { runLeased } from "./run-leased.ts";

/** Work that is repeated `everyMs` after its end. */
export type Sweep = { name: string; everyMs: number; run(signal: AbortSignal): Promise<unknown> };

export type Sweeper = { start(): void; stop(): Promise<void> };

const LEASE_MS = 30_000;
const POLL_MS = 5_000;

/**
 * Repeats sweeps in one process of all, which holds the lease `name`. Each sweep has a loop of its own, so that one that
 * waits for another service does not delay the others. A sweep that fails is logged and repeated after its interval.
 */
export function createSweeper(
  { mongo, logger }: { mongo: Mongo; logger: Logger },
  name: string,
  sweeps: readonly Sweep[],
): Sweeper {
  const lease = createLease(mongo, { name, holder: randomUUID(), ttlMs: LEASE_MS });
  const stopping = new AbortController();
  let running: Promise<unknown> = Promise.resolve();

  async function repeat({ name: sweep, everyMs, run }: Sweep, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await run(signal);
      } catch (error) {
        if (!signal.aborted) logger.warn({ err: error, sweep }, "a sweep failed; it is repeated");
      }
      await sleep(everyMs, signal).catch(() => undefined);
    }
  }

  const lead = (signal: AbortSignal) => Promise.all(sweeps.map((sweep) => repeat(sweep, signal)));

  return {
    start() {
      const { signal } = stopping;
      running = retryForever(
        async () => {
          await runLeased(lease, lead, { signal, pollMs: POLL_MS });
          throw new Error("the lease has ended");
        },
        {
          signal,
          onError: (error) =>
            logger.info({ err: error, sweeps: name }, "sweeps continue when the lease is free"),
        },
      ).catch(() => undefined);
    },
    async stop() {
      stopping.abort(new Error("the sweeper stops"));
      await running;
    },
  };
}
