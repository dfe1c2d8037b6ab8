import { createMailWorker, type Mailer, type MailResult, mailDelayAfter } from "@asset-register/mail";
import type { Context } from "../context.ts";
import type { AlertRule } from "../domain/alert-rules/alert-rule.ts";
import { mailText } from "../operations/alerts/mail-text.ts";
import type { AlertMail, MailOutcome } from "../store/alerts/mails.ts";

const CONCURRENCY = 5;

/** A mail of a disabled workspace is looked at again after this time. */
const WAIT_MS = 60_000;

/** A mail of a disabled workspace waits for this time, as a delivery does. */
const MAX_WAIT_MS = 30 * 86_400_000;

/** Sends the mails of rules. */
export function createAlertMailWorker(context: Context, mailer: Mailer) {
  const { stores, logger, metrics } = context;
  const { claimNext, putBack, saveOutcome, split } = stores.mails;
  return createMailWorker({
    ...{ claimNext, mailer, logger, metrics, concurrency: CONCURRENCY },
    counter: {
      name: "alert_mail_attempts_total",
      help: "Attempts to send a mail of an alert rule, by outcome",
    },
    async send(claimed) {
      const { mail } = claimed;
      if (mail.to.length > 1) {
        await split(claimed);
        return undefined;
      }
      const rule = await stores.alertRules.get(mail.workspaceId, mail.ruleId);
      const obstacle = await obstacleTo(context, mail, rule);
      if (obstacle !== undefined) {
        if (obstacle.waits) await putBack(claimed, WAIT_MS);
        else await saveOutcome(claimed, { status: "failed", lastError: obstacle.reason });
        return undefined;
      }
      const [to = ""] = mail.to;
      const text = await mailText(context, rule, mail);
      const outcome = outcomeOf(await mailer.send({ id: mail.id, to, ...text }), mail);
      await saveOutcome(claimed, outcome);
      return "status" in outcome ? outcome.status : "retried";
    },
  });
}

type Obstacle = { waits: true } | { waits: false; reason: string };

/** Why a mail is not sent now. A disabled workspace may be enabled again. */
async function obstacleTo(
  { stores, now }: Context,
  { workspaceId, createdAt }: AlertMail,
  rule: AlertRule | undefined,
): Promise<Obstacle | undefined> {
  if (await stores.workspaces.isDisabled(workspaceId)) {
    if (now().getTime() - createdAt.getTime() < MAX_WAIT_MS) return { waits: true };
    return { waits: false, reason: "the workspace was disabled for too long" };
  }
  return rule?.enabled === false ? { waits: false, reason: "the rule is disabled" } : undefined;
}

function outcomeOf(result: MailResult, mail: AlertMail): MailOutcome {
  if (result.ok) return { status: "delivered" };
  const failure = { lastError: result.error.slice(0, 1000), lastResponseStatus: result.code };
  if (result.final) return { status: "failed", ...failure };
  const ageMs = Date.now() - mail.createdAt.getTime();
  const retryAfterMs = mailDelayAfter(mail.attempts, ageMs, Math.random());
  return retryAfterMs === undefined ? { status: "failed", ...failure } : { retryAfterMs, ...failure };
}
