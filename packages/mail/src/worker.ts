import { type Logger, sleep } from "@asset-register/runtime";
import type { ClaimedMail } from "./claims.ts";
import type { Mailer } from "./mailer.ts";

type MailWorkerOptions<M> = {
  claimNext(leaseMs: number): Promise<ClaimedMail<M> | undefined>;
  /** Sends a claimed mail with `mailer`, and saves the outcome. */
  send(claimed: ClaimedMail<M>): Promise<void>;
  mailer: Mailer;
  logger: Logger;
  /** Mails that are sent at the same time. */
  concurrency: number;
};

/** Longer than an attempt, whose time-outs are of 15 s each. */
const LEASE_MS = 120_000;
const POLL_MS = 1_000;
const FAILED_POLL_MS = 5_000;

/** Sends stored mails, at least once each. Several workers share the work. */
export function createMailWorker<M>({ claimNext, send, mailer, logger, concurrency }: MailWorkerOptions<M>): {
  start(): void;
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  const { signal } = stopping;
  let loops: Promise<void>[] = [];

  async function loop(): Promise<void> {
    while (!signal.aborted) {
      try {
        const claimed = await claimNext(LEASE_MS);
        if (claimed === undefined) await sleep(POLL_MS, signal);
        else await send(claimed);
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
