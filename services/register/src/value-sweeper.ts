import { randomUUID } from "node:crypto";
import { createLease, runLeased } from "@asset-register/mongo";
import { retryForever, sleep } from "@asset-register/runtime";
import type { Context } from "./context.ts";
import { sweepValues } from "./operations/reports/sweep-values.ts";

export type ValueSweeper = { start(): void; stop(): Promise<void> };

const LEASE_MS = 30_000;
const POLL_MS = 5_000;
const EVERY_MS = 60_000;

/** Looks each minute, in one process of all, which workspaces have a day that has ended. It holds a lease. */
export function createValueSweeper(context: Context, everyMs = EVERY_MS): ValueSweeper {
  const { mongo, logger } = context;
  const lease = createLease(mongo, { name: "value-sweep", holder: randomUUID(), ttlMs: LEASE_MS });
  const stopping = new AbortController();
  let running: Promise<unknown> = Promise.resolve();

  async function lead(signal: AbortSignal): Promise<void> {
    const swept = new Map<string, string>();
    while (!signal.aborted) {
      try {
        await sweepValues(context, swept, signal);
      } catch (error) {
        logger.warn({ err: error }, "the sweep of values failed; it is repeated");
      }
      await sleep(everyMs, signal).catch(() => undefined);
    }
  }

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
          onError: (error) => logger.info({ err: error }, "the sweep continues when the lease is free"),
        },
      ).catch(() => undefined);
    },
    async stop() {
      stopping.abort(new Error("the sweeper stops"));
      await running;
    },
  };
}
