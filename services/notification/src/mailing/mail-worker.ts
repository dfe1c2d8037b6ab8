import { createMailWorker, type Mailer, type MailResult, mailDelayAfter } from "@asset-register/mail";
import type { Metrics } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import type { AlertMail, MailOutcome } from "../store/mails.ts";

const CONCURRENCY = 5;

/** A mail of a disabled workspace is looked at again after this time. */
const WAIT_MS = 60_000;

/** A mail of a disabled workspace waits for this time, as a delivery does. */
const MAX_WAIT_MS = 30 * 86_400_000;

/** Sends the mails of rules. */
export function createAlertMailWorker(context: Context, mailer: Mailer, metrics: Metrics) {
  const { stores, logger } = context;
  const { claimNext, putBack, saveOutcome } = stores.mails;
  return createMailWorker({
    ...{ claimNext, mailer, logger, metrics, concurrency: CONCURRENCY },
    counter: {
      name: "alert_mail_attempts_total",
      help: "Attempts to send a mail of an alert rule, by outcome",
    },
    async send(claimed) {
      const { mail } = claimed;
      const obstacle = await obstacleTo(context, mail);
      if (obstacle !== undefined) {
        if (obstacle.waits) await putBack(claimed, WAIT_MS);
        else await saveOutcome(claimed, { status: "failed", lastError: obstacle.reason });
        return undefined;
      }
      const { id, to, subject, text, html } = mail;
      const outcome = outcomeOf(await mailer.send({ id, to, subject, text, html }), mail);
      await saveOutcome(claimed, outcome);
      return "status" in outcome ? outcome.status : "retried";
    },
  });
}

type Obstacle = { waits: true } | { waits: false; reason: string };

/** Why a mail is not sent now. A disabled workspace may be enabled again. */
async function obstacleTo({ stores, now }: Context, mail: AlertMail): Promise<Obstacle | undefined> {
  const { workspaceId, ruleId, createdAt } = mail;
  if (await stores.workspaces.isDisabled(workspaceId)) {
    if (now().getTime() - createdAt.getTime() < MAX_WAIT_MS) return { waits: true };
    return { waits: false, reason: "the workspace was disabled for too long" };
  }
  const rule = await stores.alertRules.get(workspaceId, ruleId);
  return rule?.enabled === false ? { waits: false, reason: "the rule is disabled" } : undefined;
}

function outcomeOf(result: MailResult, mail: AlertMail): MailOutcome {
  if (result.ok) return { status: "delivered" };
  const lastError = result.error.slice(0, 1000);
  if (result.final) return { status: "failed", lastError };
  const ageMs = Date.now() - mail.createdAt.getTime();
  const retryAfterMs = mailDelayAfter(mail.attempts, ageMs, Math.random());
  return retryAfterMs === undefined ? { status: "failed", lastError } : { retryAfterMs, lastError };
}
