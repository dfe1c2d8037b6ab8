import { type Mailer, mailDelayAfter } from "@asset-register/mail";
import { type Keyring, type Metrics, sleep } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { invitationMail } from "../domain/invitation-mail.ts";
import { sha256 } from "../domain/token.ts";
import { tokenPlace } from "../sealed.ts";
import type { ClaimedMail } from "../store/invitation-mails.ts";

export type MailWorker = { start(): void; stop(): Promise<void> };

type MailWorkerOptions = {
  mailer: Mailer;
  keyring: Keyring;
  metrics: Metrics;
  /** The page that accepts invitations. */
  page: string | undefined;
};

/** Longer than an attempt, whose time-outs are of 15 s each. */
const LEASE_MS = 120_000;
const POLL_MS = 1_000;
const FAILED_POLL_MS = 5_000;
/** A cancelled invitation, and one of a disabled workspace, is looked at again after this time. */
const WAIT_MS = 60_000;

/** Sends the mails of invitations, at least once each. Several workers share the work. */
export function createMailWorker(
  context: Context,
  { mailer, keyring, metrics, page }: MailWorkerOptions,
): MailWorker {
  const { stores, logger } = context;
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | undefined;
  const attempts = metrics.counter({
    name: "invitation_mail_attempts_total",
    help: "Attempts to mail an invitation, by outcome",
    labelNames: ["outcome"],
  });

  /** Returns false when no mail is due. */
  async function sendNext(): Promise<boolean> {
    const claimed = await stores.invitationMails.claimNext(LEASE_MS);
    if (claimed === undefined) return false;
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
    return true;
  }

  async function saveOutcome(claimed: ClaimedMail, sent: Awaited<ReturnType<Mailer["send"]>>): Promise<void> {
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

  async function loop(): Promise<void> {
    while (!signal.aborted) {
      try {
        if (!(await sendNext())) await sleep(POLL_MS, signal);
      } catch (error) {
        if (signal.aborted) return;
        // The lease of a mail whose outcome was not saved ends, and then it is sent again with the same id.
        logger.warn({ error }, "invitations were not sent; they are tried again");
        await sleep(FAILED_POLL_MS, signal).catch(() => undefined);
      }
    }
  }

  return {
    start() {
      running = loop();
    },
    async stop() {
      stopping.abort(new Error("the mail worker stops"));
      await running;
      mailer.close();
    },
  };
}
