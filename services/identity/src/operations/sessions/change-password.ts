import type { Call } from "@asset-register/rpc";
import { forbidden, invalid, unauthenticated } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { passwordChanged } from "../../domain/notices.ts";
import type { User } from "../../domain/user.ts";
import { assertNewPassword } from "../assert-new-password.ts";
import { auditEntry } from "../audit-entry.ts";
import { queueNotice } from "../mails/queue-notice.ts";
import { assertPasswordsAllowed } from "../sso/assert-passwords-allowed.ts";
import { countAttempt } from "./count-attempt.ts";

export type ChangePassword = { currentPassword: string; newPassword: string };

/**
 * Sets the caller's password and ends their other sessions. A wrong current password counts as a failed sign-in on the
 * caller's device, so guessing with a stolen session is limited too.
 *
 * The account may have the new password already: the answer of an earlier request was lost. That proves as much as the
 * current password, so the repeat succeeds. It is a second password, so it counts as a second attempt.
 */
export async function changePassword(context: Context, input: ChangePassword, call: Call): Promise<void> {
  const { mongo, stores, passwords } = context;
  const { principal } = call;
  if (principal.kind !== "user") throw forbidden("Only users have passwords.");
  const [user, workspace] = await Promise.all([
    stores.users.get(principal.workspaceId, principal.id),
    stores.workspaces.get(principal.workspaceId),
  ]);
  if (user === undefined || workspace === undefined) throw unauthenticated();
  await assertPasswordsAllowed(stores, user);
  const { currentPassword, newPassword } = input;
  const owner = { ...user, workspaceName: workspace.name };
  await assertNewPassword(context, "new_password", newPassword, owner);

  const count = () =>
    countAttempt(context, { email: user.email, knownDevice: principal.deviceUuid }, call, (lockedUntil) =>
      auditFailure(context, user, lockedUntil, call),
    );
  const counted = await count();
  if (await passwords.verify(user.passwordHash, currentPassword)) {
    // Also if the change fails, for example in a race with the same request: it was not a guess.
    await counted.succeed();
    return setPassword(context, user, principal.sessionId, await passwords.hash(newPassword), call);
  }
  const repeat = counted.lockedUntil === undefined ? await count() : undefined;
  if (repeat === undefined || !(await passwords.verify(user.passwordHash, newPassword))) {
    await auditFailure(context, user, repeat?.lockedUntil ?? counted.lockedUntil, call);
    throw invalid([{ field: "current_password", message: "is wrong" }]);
  }
  await repeat.succeed();
  // Nothing changes. The transaction stores the answer for the Idempotency-Key.
  await mongo.transaction(call, async () => undefined);
}

async function setPassword(
  context: Context,
  before: User,
  sessionId: string,
  passwordHash: string,
  call: Call,
): Promise<void> {
  const { mongo, stores, credentialVersions, now } = context;
  const { workspaceId, id } = before;
  const rev = before.rev + 1;
  await mongo.transaction(call, async (session) => {
    const at = now();
    await stores.users.save(
      workspaceId,
      { ...before, passwordHash, rev, updatedAt: at },
      before.rev,
      session,
    );
    await stores.sessions.revokeAll(workspaceId, { userId: id, except: sessionId }, "password", at, session);
    await stores.sessions.forgetSignedOut(workspaceId, id, session);
    await stores.accountTokens.removeAll(workspaceId, { userId: id }, session);
    await stores.auditLog.append(workspaceId, [auditEntry(call, at, "user.password_changed", id)], session);
    await queueNotice(context, before, passwordChanged(before.name), session);
  });
  // Gateways compare the user's rev for all of the user's sessions.
  await credentialVersions.raise(id, rev);
}

async function auditFailure(
  { stores, now }: Context,
  { workspaceId, id }: User,
  lockedUntil: Date | undefined,
  call: Call,
): Promise<void> {
  const changes = lockedUntil ? [{ field: "locked_until", after: lockedUntil.toISOString() }] : [];
  await stores.auditLog.append(workspaceId, [
    auditEntry(call, now(), "user.password_change_failed", id, changes),
  ]);
}
