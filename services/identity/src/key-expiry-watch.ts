import { randomUUID } from "node:crypto";
import { createLease, runLeased } from "@asset-register/mongo";
import { retryForever, sleep } from "@asset-register/runtime";
import type { Context } from "./context.ts";
import { warnOfExpiry } from "./operations/api-keys/warn-of-expiry.ts";

const LEASE_MS = 30_000;
const POLL_MS = 5_000;
const EVERY_MS = 600_000;

/** Looks every 10 minutes, in one process of all, which API keys expire soon. It holds a lease. */
export function createKeyExpiryWatch(context: Context): { start(): void; stop(): Promise<void> } {
  const { mongo, logger } = context;
  const lease = createLease(mongo, { name: "key-expiry", holder: randomUUID(), ttlMs: LEASE_MS });
  const stopping = new AbortController();
  let running: Promise<unknown> = Promise.resolve();

  async function lead(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await warnOfExpiry(context, signal);
      } catch (error) {
        logger.warn({ err: error }, "the look for API keys that expire failed; it is repeated");
      }
      await sleep(EVERY_MS, signal).catch(() => undefined);
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
          onError: (error) => logger.info({ err: error }, "the look continues when the lease is free"),
        },
      ).catch(() => undefined);
    },
    async stop() {
      stopping.abort(new Error("the watch stops"));
      await running;
    },
  };
}
