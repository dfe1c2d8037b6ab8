import { randomBytes } from "node:crypto";
import { parseAddress } from "@asset-register/mail";
import { isDuplicateKey } from "@asset-register/mongo";
import type { Capability } from "@asset-register/rpc";
import { changesBetween, invalid, newId } from "@asset-register/runtime";
import type { Caller, Context } from "../../context.ts";
import { invitationToken, sha256, TOKEN_BYTES } from "../../domain/token.ts";
import { grantedCapabilities, INVITATION_MS, type User } from "../../domain/user.ts";
import { tokenPlace } from "../../sealed.ts";
import { INVITED_BY_EMAIL } from "../../store/users.ts";
import { auditEntry } from "../audit-entry.ts";
import { requireRecent } from "../sessions/require-recent.ts";

export type InviteUser = { email: string; name: string; capabilities: Capability[]; admin: boolean };

/** `token` is the invitation. It is known only now, and absent when it is mailed. */
export type InvitedUser = { user: User; token: string | undefined };

/**
 * Invites a person. It does not check whether the email has an account in another workspace, so that nobody can find
 * that out. An open invitation of the email in this workspace is replaced, and its token ends.
 * @throws AppError VALIDATION_FAILED for the email of a user of this workspace, and for one that can't get mail
 */
export async function inviteUser(context: Context, input: InviteUser, call: Caller): Promise<InvitedUser> {
  // An admin who is invited is a right that is granted.
  if (input.admin) await requireRecent(context, call);
  const address = parseAddress(input.email);
  if (!context.answersTokens && !address.ok) throw invalid([{ field: "email", message: address.reason }]);
  const token = invitationToken(randomBytes(TOKEN_BYTES));
  try {
    return await saveInvitation(context, input, token, call);
  } catch (error) {
    // The same email was invited at the same time. Now that invitation exists and can be replaced.
    if (isDuplicateKey(error, INVITED_BY_EMAIL)) return saveInvitation(context, input, token, call);
    throw error;
  }
}

function saveInvitation(
  { mongo, stores, requireMail, answersTokens, now }: Context,
  { email, name, capabilities, admin }: InviteUser,
  token: string,
  call: Caller,
): Promise<InvitedUser> {
  const { workspaceId } = call;
  return mongo.transaction(call, async (session) => {
    const at = now();
    if (await stores.users.hasUser(workspaceId, email, session)) {
      throw invalid([{ field: "email", message: "is the email of a user of this workspace" }]);
    }
    const before = await stores.users.findInvited(workspaceId, email, session);
    const expiresAt = new Date(at.getTime() + INVITATION_MS);
    const user: User = {
      id: before?.id ?? newId("usr"),
      workspaceId,
      email: before?.email ?? email,
      name,
      capabilities: grantedCapabilities(capabilities, admin),
      status: "invited",
      rev: (before?.rev ?? 0) + 1,
      createdAt: before?.createdAt ?? at,
      updatedAt: at,
      invitationHash: sha256(token),
      invitationExpiresAt: expiresAt,
    };
    if (before) await stores.users.save(workspaceId, user, before.rev, session);
    else await stores.users.insert(workspaceId, user, session);
    const changes = changesBetween({}, { email: user.email, capabilities: user.capabilities });
    const entry = auditEntry(call, at, "user.invited", user.id, changes);
    await stores.auditLog.append(workspaceId, [entry], session);
    if (answersTokens) return { user, token };
    const sealed = requireMail().encrypt(token, tokenPlace(user.id));
    const mail = { id: user.id, kind: "invitation", token: sealed, expiresAt } as const;
    await stores.accountMails.put(workspaceId, mail, session);
    return { user, token: undefined };
  });
}
