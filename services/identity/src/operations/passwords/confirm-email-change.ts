import { isDuplicateKey } from "@asset-register/mongo";
import type { Origin } from "@asset-register/rpc";
import { changesBetween, invalid } from "@asset-register/runtime";
import type { Context, SignInCall } from "../../context.ts";
import { emailChanged } from "../../domain/notices.ts";
import { USERS_BY_EMAIL } from "../../store/users.ts";
import { auditEntry } from "../audit-entry.ts";
import { queueNotice } from "../mails/queue-notice.ts";
import { admitAddress } from "../sessions/admit-address.ts";
import { findToken, tokenNotValid } from "./find-token.ts";

export type ConfirmEmailChange = { token: string; clientAddress?: string | undefined };

/**
 * Changes the email address with a token that was mailed to it. The user's sessions end, but not the one that requested
 * the change: it has shown the password.
 * @throws AppError VALIDATION_FAILED, also if the address has an account meanwhile: only its owner has the token
 */
export async function confirmEmailChange(
  context: Context,
  { token: text, clientAddress }: ConfirmEmailChange,
  { deadline, requestId, clientRequestId }: Pick<SignInCall, "deadline" | keyof Origin>,
): Promise<void> {
  await admitAddress(context, "sign_in", clientAddress);
  const { mongo, stores, credentialVersions, now } = context;
  const { token, user } = await findToken(context, text, "email_change");
  const { workspaceId, id } = user;
  const { email, sessionId } = token;
  if (email === undefined) throw tokenNotValid();
  const by = {
    ...{ workspaceId, actor: { kind: "user", id } as const },
    ...{ requestId, clientAddress, clientRequestId },
  };
  try {
    const rev = await mongo.transaction({ deadline }, async (session) => {
      const at = now();
      const before = await stores.users.get(workspaceId, id, session);
      const isTaken = await stores.accountTokens.take(workspaceId, token.id, session);
      if (!isTaken || before?.status !== "active") throw tokenNotValid();
      const after = { ...before, email, rev: before.rev + 1, updatedAt: at };
      await stores.users.save(workspaceId, after, before.rev, session);
      // Tokens for the earlier address too.
      await stores.accountTokens.removeAll(workspaceId, { userId: id }, session);
      await stores.sessions.revokeAll(workspaceId, { userId: id, except: sessionId }, "email", at, session);
      const changes = changesBetween({ email: before.email }, { email });
      const entry = auditEntry(by, at, "user.email_changed", id, changes);
      await stores.auditLog.append(workspaceId, [entry], session);
      await queueNotice(context, before, emailChanged(before.name, email), session);
      return after.rev;
    });
    await credentialVersions.raise(id, rev);
  } catch (error) {
    if (!isDuplicateKey(error, USERS_BY_EMAIL)) throw error;
    throw invalid([{ field: "token", message: "is for an address that has an account meanwhile" }]);
  }
}
