import { randomUUID } from "node:crypto";
import { createLease, runLeased } from "@asset-register/mongo";
import { retryForever, sleep } from "@asset-register/runtime";
import type { Context } from "./context.ts";
import { judgeWaiting } from "./operations/sweeps/judge-waiting.ts";
import { readLastSightings } from "./operations/sweeps/read-last-sightings.ts";
import { removeOldEntries } from "./operations/sweeps/remove-old-entries.ts";
import { resolveAllOutdated } from "./operations/sweeps/resolve-all-outdated.ts";
import { sendDigests } from "./operations/sweeps/send-digests.ts";
import { sweepPortals } from "./operations/sweeps/sweep-portals.ts";
import { sweepSilence } from "./operations/sweeps/sweep-silence.ts";

type Sweep = (context: Context, signal: AbortSignal, everyMs: number) => Promise<void>;

export type Sweeper = { start(): void; stop(): Promise<void> };

const LEASE_MS = 30_000;
const POLL_MS = 5000;
const REMOVE_MS = 3_600_000;

/**
 * Runs the periodic sweeps in one process of all, which holds a lease. Each sweep has a loop of its own, so that one
 * that waits for another service does not delay the others.
 */
export function createSweeper(context: Context, { silenceMs }: { silenceMs: number }): Sweeper {
  const { mongo, logger } = context;
  const lease = createLease(mongo, { name: "alert-sweeps", holder: randomUUID(), ttlMs: LEASE_MS });
  const stopping = new AbortController();
  let running: Promise<unknown> = Promise.resolve();

  async function repeat(sweep: Sweep, everyMs: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await sweep(context, signal, everyMs);
      } catch (error) {
        logger.warn({ err: error, sweep: sweep.name }, "a sweep failed; it is repeated");
      }
      await sleep(everyMs, signal).catch(() => undefined);
    }
  }

  async function lead(signal: AbortSignal): Promise<void> {
    await Promise.all([
      repeat(sweepSilence, silenceMs, signal),
      repeat(sweepPortals, silenceMs, signal),
      repeat(judgeWaiting, 2000, signal),
      repeat(sendDigests, 5000, signal),
      repeat(resolveAllOutdated, 5000, signal),
      repeat(readLastSightings, Math.min(silenceMs, 10_000), signal),
      repeat(removeOldEntries, REMOVE_MS, signal),
    ]);
  }

  return {
    start() {
      const { signal } = stopping;
      running = retryForever(
        async () => {
          await runLeased(lease, lead, { signal, pollMs: POLL_MS });
          throw new Error("the lease has ended");
        },
        { signal, onError: (error) => logger.info({ err: error }, "sweeps continue when the lease is free") },
      ).catch(() => undefined);
    },
    async stop() {
      stopping.abort(new Error("the sweeper stops"));
      await running;
    },
  };
}
