import {
  type ClaimedMail,
  createMailWorker,
  type Mailer,
  type MailResult,
  mailDelayAfter,
} from "@asset-register/mail";
import type { Keyring } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { invitationMail } from "../domain/invitation-mail.ts";
import { sha256 } from "../domain/token.ts";
import { tokenPlace } from "../sealed.ts";
import type { InvitationMail } from "../store/invitation-mails.ts";

type MailWorkerOptions = {
  mailer: Mailer;
  keyring: Keyring;
  /** The page that accepts invitations. */
  page: string | undefined;
};

/** A cancelled invitation, and one of a disabled workspace, is looked at again after this time. */
const WAIT_MS = 60_000;

/** Sends the mails of invitations. */
export function createInvitationMailWorker(context: Context, { mailer, keyring, page }: MailWorkerOptions) {
  const { stores, logger, metrics } = context;
  const { claimNext, remove, retryLater } = stores.invitationMails;

  async function saveOutcome(claimed: ClaimedMail<InvitationMail>, sent: MailResult) {
    const { id, workspaceId, attempts } = claimed.mail;
    // Without an age: it is worth sending until the invitation expires, and the mail with it.
    const afterMs = sent.ok || sent.final ? undefined : mailDelayAfter(attempts, 0, Math.random());
    if (afterMs !== undefined) {
      await retryLater(claimed, afterMs);
      return "retried";
    }
    if (!sent.ok) {
      const { code, error } = sent;
      logger.warn(
        { user_id: id, workspace_id: workspaceId, code, reason: error },
        "an invitation was not sent",
      );
    }
    await remove(claimed);
    return sent.ok ? "delivered" : "failed";
  }

  return createMailWorker({
    ...{ claimNext, mailer, logger, metrics, concurrency: 1 },
    counter: {
      name: "invitation_mail_attempts_total",
      help: "Attempts to mail an invitation, by outcome",
    },
    async send(claimed) {
      const { workspaceId, id, token: sealed, expiresAt } = claimed.mail;
      const [user, workspace] = await Promise.all([
        stores.users.get(workspaceId, id),
        stores.workspaces.get(workspaceId),
      ]);
      const token = keyring.decrypt(sealed, tokenPlace(id)).toString();
      if (user?.invitationHash !== sha256(token) || user.status === "active" || workspace === undefined) {
        await remove(claimed);
        return undefined;
      }
      if (user.status === "disabled" || workspace.status === "disabled") {
        await retryLater(claimed, WAIT_MS);
        return undefined;
      }
      const hasAccount = (await stores.credentials.findUser(user.email)) !== undefined;
      const content = invitationMail({
        ...{ name: user.name, workspaceName: workspace.name, page, expiresAt },
        token: hasAccount ? undefined : token,
      });
      const sent = await mailer.send({ id: `${id}.${user.rev}`, to: user.email, ...content });
      return saveOutcome(claimed, sent);
    },
  });
}
