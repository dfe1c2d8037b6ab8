import { type Mailer, type MailResult, mailDelayAfter } from "@asset-register/mail";
import { type Metrics, sleep } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import type { ClaimedMail, MailOutcome } from "../store/mails.ts";

export type MailWorker = { start(): void; stop(): Promise<void> };

/** Longer than an attempt, whose time-outs are of 15 s each. */
const LEASE_MS = 120_000;

const CONCURRENCY = 5;
const POLL_MS = 1000;
const FAILED_POLL_MS = 5000;

/** A mail of a disabled workspace is looked at again after this time. */
const WAIT_MS = 60_000;

/** A mail of a disabled workspace waits for this time, as a delivery does. */
const MAX_WAIT_MS = 30 * 86_400_000;

/** Sends the mails of rules, at least once each. Several workers share the work. */
export function createMailWorker(context: Context, mailer: Mailer, metrics: Metrics): MailWorker {
  const { stores, logger } = context;
  const stopping = new AbortController();
  const { signal } = stopping;
  const loops = new Set<Promise<void>>();
  const attempts = metrics.counter({
    name: "alert_mail_attempts_total",
    help: "Attempts to send a mail of an alert rule, by outcome",
    labelNames: ["outcome"],
  });

  async function sendNext(): Promise<boolean> {
    const claimed = await stores.mails.claimNext(LEASE_MS);
    if (!claimed) return false;
    const { mail } = claimed;
    const obstacle = await obstacleTo(context, claimed);
    if (obstacle !== undefined) {
      if (obstacle.waits) await stores.mails.putBack(claimed, WAIT_MS);
      else await stores.mails.saveOutcome(claimed, { status: "failed", lastError: obstacle.reason });
      return true;
    }
    const { id, to, subject, text, html } = mail;
    const outcome = outcomeOf(await mailer.send({ id, to, subject, text, html }), claimed);
    attempts.inc({ outcome: "status" in outcome ? outcome.status : "retried" });
    await stores.mails.saveOutcome(claimed, outcome);
    return true;
  }

  async function loop(): Promise<void> {
    while (!signal.aborted) {
      try {
        if (!(await sendNext())) await sleep(POLL_MS, signal);
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
      for (let index = 0; index < CONCURRENCY; index += 1) loops.add(loop());
    },
    async stop() {
      stopping.abort(new Error("the mail worker stops"));
      await Promise.allSettled(loops);
      mailer.close();
    },
  };
}

type Obstacle = { waits: true } | { waits: false; reason: string };

/** Why a mail is not sent now. A disabled workspace may be enabled again. */
async function obstacleTo({ stores, now }: Context, { mail }: ClaimedMail): Promise<Obstacle | undefined> {
  const { workspaceId, ruleId, createdAt } = mail;
  if (await stores.workspaces.isDisabled(workspaceId)) {
    if (now().getTime() - createdAt.getTime() < MAX_WAIT_MS) return { waits: true };
    return { waits: false, reason: "the workspace was disabled for too long" };
  }
  const rule = await stores.alertRules.get(workspaceId, ruleId);
  return rule?.enabled === false ? { waits: false, reason: "the rule is disabled" } : undefined;
}

function outcomeOf(result: MailResult, { mail }: ClaimedMail): MailOutcome {
  if (result.ok) return { status: "delivered" };
  const lastError = result.error.slice(0, 1000);
  if (result.final) return { status: "failed", lastError };
  const ageMs = Date.now() - mail.createdAt.getTime();
  const retryAfterMs = mailDelayAfter(mail.attempts, ageMs, Math.random());
  return retryAfterMs === undefined ? { status: "failed", lastError } : { retryAfterMs, lastError };
}
