import { randomUUID } from "node:crypto";
import { createLease, runLeased } from "@asset-register/mongo";
import { retryForever, sleep } from "@asset-register/runtime";
import { checkDomains } from "./operations/sso/check-domains.ts";
import type { SsoContext } from "./operations/sso/sso-context.ts";

const LEASE_MS = 30_000;
const POLL_MS = 10_000;
/** Each look finds the domains that were not looked at for a day. */
const EVERY_MS = 10 * 60_000;

/** Looks at the domains of companies daily, in one process of all. */
export function createSsoWorker(context: SsoContext) {
  const { mongo, logger } = context;
  const lease = createLease(mongo, { name: "sso-domains", holder: randomUUID(), ttlMs: LEASE_MS });
  const stopping = new AbortController();
  let running: Promise<unknown> = Promise.resolve();

  async function lead(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await checkDomains(context, signal);
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
        { signal, onError: (error) => logger.info({ error }, "domains are checked when the lease is free") },
      ).catch(() => undefined);
    },
    async stop() {
      stopping.abort(new Error("the worker stops"));
      await running;
    },
  };
}
