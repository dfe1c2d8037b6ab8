import {
  type ClaimedMail,
  createMailWorker,
  type Mailer,
  type MailResult,
  mailDelayAfter,
} from "@asset-register/mail";
import type { Context } from "../context.ts";
import { mailContent } from "../domain/account-mail.ts";
import type { AccountMail } from "../store/account-mails.ts";
import { answerResetRequest } from "./answer-reset-request.ts";
import { prepareInvitation } from "./prepare-invitation.ts";
import { prepareToken } from "./prepare-token.ts";
import type { MailSettings, Prepared } from "./prepared.ts";

/** A mail that can't be sent for now is looked at again after this time. */
const WAIT_MS = 60_000;

/** Sends the mails to accounts. */
export function createAccountMailWorker(context: Context, mailer: Mailer, settings: MailSettings) {
  const { stores, logger, metrics } = context;
  const { claimNext, remove, retryLater } = stores.accountMails;

  function prepare(mail: AccountMail): Promise<Prepared> | Prepared {
    const { kind, id, to, subject, paragraphs } = mail;
    if (kind === "password_reset" || kind === "email_change") return prepareToken(context, settings, mail);
    if (kind !== "notice") return prepareInvitation(context, settings, mail);
    return to && subject && paragraphs ? { id, to, subject, paragraphs } : "drop";
  }

  async function saveOutcome(claimed: ClaimedMail<AccountMail>, sent: MailResult) {
    const { id, workspaceId, kind, attempts } = claimed.mail;
    // Without an age: it is worth sending until it expires.
    const afterMs = sent.ok || sent.final ? undefined : mailDelayAfter(attempts, 0, Math.random());
    if (afterMs !== undefined) {
      await retryLater(claimed, afterMs);
      return "retried";
    }
    if (!sent.ok) {
      const { code, error } = sent;
      logger.warn(
        { mail_id: id, kind, workspace_id: workspaceId, code, reason: error },
        "a mail was not sent",
      );
    }
    await remove(claimed);
    return sent.ok ? "delivered" : "failed";
  }

  return createMailWorker({
    ...{ claimNext, mailer, logger, metrics, concurrency: 1 },
    counter: {
      name: "account_mail_attempts_total",
      help: "Attempts to send a mail to an account, by outcome",
    },
    async send(claimed) {
      if (claimed.mail.kind === "reset_request") {
        await answerResetRequest(context, claimed);
        return undefined;
      }
      const prepared = await prepare(claimed.mail);
      if (prepared === "drop" || prepared === "wait") {
        await (prepared === "drop" ? remove(claimed) : retryLater(claimed, WAIT_MS));
        return undefined;
      }
      const { id, to, ...text } = prepared;
      return saveOutcome(claimed, await mailer.send({ id, to, ...mailContent(text) }));
    },
  });
}
