import type { Origin } from "@asset-register/rpc";
import type { Context, SignInCall } from "../../context.ts";
import { passwordWasReset } from "../../domain/notices.ts";
import { assertNewPassword } from "../assert-new-password.ts";
import { auditEntry } from "../audit-entry.ts";
import { queueNotice } from "../mails/queue-notice.ts";
import { admitAddress } from "../sessions/admit-address.ts";
import { accountCounter } from "../sessions/count-attempt.ts";
import { assertPasswordsAllowed } from "../sso/assert-passwords-allowed.ts";
import { findToken, tokenNotValid } from "./find-token.ts";

export type ResetPassword = { token: string; newPassword: string; clientAddress?: string | undefined };

/**
 * Sets a password with a mailed token, and ends the account's sessions, its tokens and its lock. It does not sign in: a
 * second factor stays required. A password that is too easy to guess does not use the token up.
 * @throws AppError VALIDATION_FAILED, RATE_LIMITED, SSO_REQUIRED
 */
export async function resetPassword(
  context: Context,
  { token: text, newPassword, clientAddress }: ResetPassword,
  { deadline, requestId, clientRequestId }: Pick<SignInCall, "deadline" | keyof Origin>,
): Promise<void> {
  await admitAddress(context, "sign_in", clientAddress);
  const { mongo, stores, passwords, credentialVersions, now } = context;
  const { token, user, workspace } = await findToken(context, text, "password_reset");
  await assertPasswordsAllowed(stores, user);
  await assertNewPassword(context, "new_password", newPassword, { ...user, workspaceName: workspace.name });
  const passwordHash = await passwords.hash(newPassword);

  const { workspaceId, id } = user;
  const by = {
    ...{ workspaceId, actor: { kind: "user", id } as const },
    ...{ requestId, clientAddress, clientRequestId },
  };
  const rev = await mongo.transaction({ deadline }, async (session) => {
    const at = now();
    const before = await stores.users.get(workspaceId, id, session);
    const isTaken = await stores.accountTokens.take(workspaceId, token.id, session);
    if (!isTaken || before?.status !== "active") throw tokenNotValid();
    const after = { ...before, passwordHash, rev: before.rev + 1, updatedAt: at };
    await stores.users.save(workspaceId, after, before.rev, session);
    await stores.accountTokens.removeAll(workspaceId, { userId: id }, session);
    await stores.sessions.revokeAll(workspaceId, { userId: id }, "password", at, session);
    await stores.sessions.forgetSignedOut(workspaceId, id, session);
    await stores.auditLog.append(workspaceId, [auditEntry(by, at, "user.password_reset", id)], session);
    await queueNotice(context, before, passwordWasReset(before.name), session);
    return after.rev;
  });
  // No device of the user is known any more, so only the account can be locked.
  await stores.signInLimits.removeFailures(accountCounter(user.email));
  await credentialVersions.raise(id, rev);
}
