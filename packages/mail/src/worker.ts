import { type Logger, type Metrics, sleep } from "@asset-register/runtime";
import type { ClaimedMail } from "./claims.ts";
import type { Mailer } from "./mailer.ts";

type MailWorkerOptions<M> = {
  claimNext(leaseMs: number): Promise<ClaimedMail<M> | undefined>;
  /** Sends a claimed mail with `mailer`, and saves the outcome. Undefined if no attempt was made. */
  send(claimed: ClaimedMail<M>): Promise<"delivered" | "retried" | "failed" | undefined>;
  mailer: Mailer;
  logger: Logger;
  metrics: Metrics;
  /** The counter of attempts. */
  counter: { name: string; help: string };
  /** Mails that are sent at the same time. */
  concurrency: number;
};

/** Longer than an attempt, whose time-outs are of 15 s each. */
const LEASE_MS = 120_000;
const POLL_MS = 1_000;
const FAILED_POLL_MS = 5_000;

/** Sends stored mails, at least once each. Several workers share the work. */
export function createMailWorker<M>(options: MailWorkerOptions<M>): { start(): void; stop(): Promise<void> } {
  const { claimNext, send, mailer, logger, metrics, counter, concurrency } = options;
  const attempts = metrics.counter({ ...counter, labelNames: ["outcome"] });
  const stopping = new AbortController();
  const { signal } = stopping;
  let loops: Promise<void>[] = [];

  async function loop(): Promise<void> {
    while (!signal.aborted) {
      try {
        const claimed = await claimNext(LEASE_MS);
        const outcome = claimed && (await send(claimed));
        if (outcome !== undefined) attempts.inc({ outcome });
        if (claimed === undefined) await sleep(POLL_MS, signal);
      } catch (error) {
        if (signal.aborted) return;
        // The lease of a mail whose outcome was not saved ends, and then it is sent again with the same id.
        logger.warn({ err: error }, "mails were not sent; they are tried again");
        await sleep(FAILED_POLL_MS, signal).catch(() => undefined);
      }
    }
  }

  return {
    start() {
      loops = Array.from({ length: concurrency }, loop);
    },
    async stop() {
      stopping.abort(new Error("the mail worker stops"));
      await Promise.all(loops);
      mailer.close();
    },
  };
}
