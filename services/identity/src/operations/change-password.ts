import type { Call } from "@asset-register/rpc";
import { conflict, forbidden, invalid, unauthenticated } from "@asset-register/runtime";
import type { Identity } from "../context.ts";
import { type Act, act } from "../domain/audit.ts";
import { checkPassword } from "../domain/password.ts";
import type { User } from "../domain/user.ts";
import { countAttempt } from "./count-attempt.ts";

export type ChangePassword = { currentPassword: string; newPassword: string };

/**
 * Sets the caller's password and ends their other sessions. A wrong current one
 * counts as a failed sign-in, so that a stolen session is no place to guess at.
 * A new password that is the account's already proves as much as the current
 * one, so a repeat whose answer was lost is answered the same; as a second
 * password that is looked at, it is counted as a second attempt.
 */
export async function changePassword(identity: Identity, input: ChangePassword, call: Call): Promise<void> {
  const { mongo, users, passwords } = identity;
  const { principal } = call;
  if (principal.kind !== "user") throw forbidden("Passwords are those of users");
  const user = await users.find(principal.workspaceId, principal.id);
  if (user === undefined) throw unauthenticated();
  const { currentPassword, newPassword } = input;
  const violations = checkPassword("new_password", newPassword, user.email);
  if (violations.length > 0) throw invalid(violations);

  const counted = await countAttempt(identity, user.email, call);
  if (await passwords.verify(user.passwordHash, currentPassword)) {
    // Whatever comes of the change, such as a loss to the same request at the same time: it was no guess.
    await counted.succeed();
    return setPassword(identity, user, principal.sessionId, await passwords.hash(newPassword), call);
  }
  const again =
    counted.lockedUntil === undefined ? await countAttempt(identity, user.email, call) : undefined;
  if (again === undefined || !(await passwords.verify(user.passwordHash, newPassword))) {
    await noteFailure(identity, user, again?.lockedUntil ?? counted.lockedUntil, call);
    throw invalid([{ field: "current_password", message: "is wrong" }]);
  }
  await again.succeed();
  // Nothing is left to do but to keep the answer of its Idempotency-Key.
  await mongo.transaction(call, async () => undefined);
}

async function setPassword(
  { mongo, users, sessions, versions, audit, clock }: Identity,
  user: User,
  sessionId: string,
  passwordHash: string,
  call: Call,
): Promise<void> {
  const { workspaceId, id: userId } = user;
  await mongo.transaction(call, async (transaction) => {
    const now = clock();
    if (!(await users.setPassword(workspaceId, user, passwordHash, now, transaction))) {
      throw conflict("CONFLICT", "The user was changed at the same time");
    }
    const others = { userId, except: sessionId };
    await sessions.revokeAll(workspaceId, others, "password", now, transaction);
    await audit.add(workspaceId, act(call, now, "user.password_changed", userId), transaction);
  });
  // All that gateways keep of the user's sessions hangs on this version as well.
  await versions.raise(userId, user.version + 1);
}

async function noteFailure(
  { audit, clock }: Identity,
  { workspaceId, id }: User,
  lockedUntil: Date | undefined,
  call: Call,
): Promise<void> {
  const changes = lockedUntil ? [{ field: "locked_until", after: lockedUntil.toISOString() }] : [];
  const failed: Act = act(call, clock(), "user.password_change_failed", id, changes);
  await audit.add(workspaceId, failed);
}
