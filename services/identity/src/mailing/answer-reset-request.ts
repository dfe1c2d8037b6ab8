import { randomBytes } from "node:crypto";
import { type ClaimedMail, parseAddress } from "@asset-register/mail";
import type { ClientSession } from "@asset-register/mongo";
import type { Context } from "../context.ts";
import { mailLimits } from "../domain/account-token.ts";
import { passwordNotUsed } from "../domain/notices.ts";
import { invitationToken, sha256, TOKEN_BYTES } from "../domain/token.ts";
import type { User } from "../domain/user.ts";
import { ANONYMOUS, auditEntry } from "../operations/audit-entry.ts";
import { queueNotice } from "../operations/mails/queue-notice.ts";
import { mailToken } from "../operations/passwords/issue-token.ts";
import { requiresSso } from "../operations/sso/assert-passwords-allowed.ts";
import { tokenPlace } from "../sealed.ts";
import type { AccountMail } from "../store/account-mails.ts";

/** An email may be invited to several workspaces. */
const MAX_INVITATIONS = 5;

/**
 * Answers that somebody has forgotten the password of an email, by the mail that its owner needs:
 *
 * | The email has            | Mail                                            |
 * | ------------------------ | ----------------------------------------------- |
 * | an active user           | a token for a new password                      |
 * | one who must use the sign-in of the company | a text that says so          |
 * | open invitations         | the invitations again, with a new token         |
 * | a disabled user, nothing | none                                            |
 *
 * An account gets 3 such mails in an hour. A disabled workspace sends none.
 */
export async function answerResetRequest(
  context: Context,
  { mail, claim }: ClaimedMail<AccountMail>,
): Promise<void> {
  const { mongo, stores, now } = context;
  const { to: email = "", workspaceId, id, expiresAt } = mail;
  const takeAnd = (write: (session: ClientSession) => Promise<void>) =>
    mongo.transaction({}, async (session) => {
      if (await stores.accountMails.take({ mail: { workspaceId, id }, claim }, session)) await write(session);
    });

  const receivers = expiresAt > now() && parseAddress(email).ok ? await findReceivers(context, email) : [];
  await takeAnd(async (session) => {
    for (const user of receivers) await (user.status === "active" ? reset : inviteAgain)(user, session);
  });

  async function reset(user: User, session: ClientSession): Promise<void> {
    if (await requiresSso(stores, user))
      return queueNotice(context, user, passwordNotUsed(user.name), session);
    await mailToken(context, user, "password_reset", {}, session);
    const by = { workspaceId: user.workspaceId, actor: ANONYMOUS, ...mail.origin };
    const entry = auditEntry(by, now(), "user.password_reset_requested", user.id);
    await stores.auditLog.append(user.workspaceId, [entry], session);
  }

  async function inviteAgain(user: User, session: ClientSession): Promise<void> {
    const keyring = context.requireMail();
    const token = invitationToken(randomBytes(TOKEN_BYTES));
    const again = { ...user, invitationHash: sha256(token), rev: user.rev + 1, updatedAt: now() };
    await stores.users.save(user.workspaceId, again, user.rev, session);
    const expiresAt = user.invitationExpiresAt ?? now();
    const sealed = keyring.encrypt(token, tokenPlace(user.id));
    const invitation = { id: user.id, kind: "invitation", token: sealed, expiresAt } as const;
    await stores.accountMails.put(user.workspaceId, invitation, session);
  }
}

/** The users that get a mail now. */
async function findReceivers({ stores, answersTokens, now }: Context, email: string): Promise<User[]> {
  const account = await stores.credentials.findUser(email);
  const invited =
    account === undefined && !answersTokens
      ? await stores.credentials.findInvitedByEmail(email, MAX_INVITATIONS)
      : [];
  const receivers: User[] = [];
  for (const user of account ? [account] : invited) {
    const workspace = await stores.workspaces.get(user.workspaceId);
    const isOpen = user.status === "active" || (user.status === "invited" && isAhead(user, now()));
    if (!isOpen || workspace?.status !== "active") continue;
    const { resets, windowMs } = mailLimits;
    if (await stores.signInLimits.countWithin(sha256(`reset ${user.id}`), resets, windowMs, now()))
      receivers.push(user);
  }
  return receivers;
}

const isAhead = ({ invitationExpiresAt }: User, now: Date): boolean =>
  invitationExpiresAt !== undefined && invitationExpiresAt > now;
