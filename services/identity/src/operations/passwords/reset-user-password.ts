import { conflict, requireFound } from "@asset-register/runtime";
import type { Caller, Context } from "../../context.ts";
import type { User } from "../../domain/user.ts";
import { auditEntry } from "../audit-entry.ts";
import { assertPasswordsAllowed } from "../sso/assert-passwords-allowed.ts";
import { issueToken, mailToken } from "./issue-token.ts";

export type ResetUserPassword = { id: string };

/** `token` is known only now, and absent when it is mailed. */
export type UserPasswordReset = { user: User; token: string | undefined };

/**
 * Lets a user of the workspace choose a new password, for an admin or an operator. Until then the present one is valid.
 * `answersToken` is whether the caller gets the token. Otherwise it is mailed.
 * @throws AppError USER_NOT_ACTIVE, SSO_REQUIRED
 */
export async function resetUserPassword(
  context: Context,
  { id }: ResetUserPassword,
  call: Caller,
  answersToken = context.answersTokens,
): Promise<UserPasswordReset> {
  const { mongo, stores, now } = context;
  const { workspaceId } = call;
  return mongo.transaction(call, async (session) => {
    const user = requireFound(await stores.users.get(workspaceId, id, session), "user");
    if (user.status !== "active") {
      throw conflict("USER_NOT_ACTIVE", "Only an active user has a password.", [
        { field: "status", message: `is ${user.status}` },
      ]);
    }
    await assertPasswordsAllowed(stores, user);
    const entry = auditEntry(call, now(), "user.password_reset_requested", id);
    await stores.auditLog.append(workspaceId, [entry], session);
    if (answersToken) {
      return { user, token: (await issueToken(context, user, "password_reset", {}, session)).token };
    }
    await mailToken(context, user, "password_reset", {}, session);
    return { user, token: undefined };
  });
}
