import {
  type ClaimedMail,
  createMailWorker,
  type Mailer,
  type MailResult,
  mailDelayAfter,
} from "@asset-register/mail";
import type { Keyring, Metrics } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { invitationMail } from "../domain/invitation-mail.ts";
import { sha256 } from "../domain/token.ts";
import { tokenPlace } from "../sealed.ts";
import type { InvitationMail } from "../store/invitation-mails.ts";

type MailWorkerOptions = {
  mailer: Mailer;
  keyring: Keyring;
  metrics: Metrics;
  /** The page that accepts invitations. */
  page: string | undefined;
};

/** A cancelled invitation, and one of a disabled workspace, is looked at again after this time. */
const WAIT_MS = 60_000;

/** Sends the mails of invitations. */
export function createInvitationMailWorker(
  context: Context,
  { mailer, keyring, metrics, page }: MailWorkerOptions,
) {
  const { stores, logger } = context;
  const attempts = metrics.counter({
    name: "invitation_mail_attempts_total",
    help: "Attempts to mail an invitation, by outcome",
    labelNames: ["outcome"],
  });

  async function send(claimed: ClaimedMail<InvitationMail>): Promise<void> {
    const { mail } = claimed;
    const { workspaceId, id } = mail;
    const [user, workspace] = await Promise.all([
      stores.users.get(workspaceId, id),
      stores.workspaces.get(workspaceId),
    ]);
    const token = keyring.decrypt(mail.token, tokenPlace(id)).toString();
    if (user?.invitationHash !== sha256(token) || user.status === "active" || workspace === undefined) {
      await stores.invitationMails.remove(claimed);
    } else if (user.status === "disabled" || workspace.status === "disabled") {
      await stores.invitationMails.retryLater(claimed, WAIT_MS);
    } else {
      const hasAccount = (await stores.credentials.findUser(user.email)) !== undefined;
      const content = invitationMail({
        ...{ name: user.name, workspaceName: workspace.name, page },
        token: hasAccount ? undefined : token,
        expiresAt: mail.expiresAt,
      });
      const sent = await mailer.send({ id: `${id}.${user.rev}`, to: [user.email], ...content });
      await saveOutcome(claimed, sent);
    }
  }

  async function saveOutcome(claimed: ClaimedMail<InvitationMail>, sent: MailResult): Promise<void> {
    const { id, workspaceId, attempts: count } = claimed.mail;
    // Without an age: it is worth sending until the invitation expires, and the mail with it.
    const afterMs = sent.ok || sent.final ? undefined : mailDelayAfter(count, 0, Math.random());
    attempts.inc({ outcome: sent.ok ? "delivered" : afterMs === undefined ? "failed" : "retried" });
    if (afterMs !== undefined) return stores.invitationMails.retryLater(claimed, afterMs);
    if (!sent.ok) {
      const { code, error } = sent;
      logger.warn(
        { user_id: id, workspace_id: workspaceId, code, reason: error },
        "an invitation was not sent",
      );
    }
    return stores.invitationMails.remove(claimed);
  }

  const { claimNext } = stores.invitationMails;
  return createMailWorker({ claimNext, send, mailer, logger, concurrency: 1 });
}
