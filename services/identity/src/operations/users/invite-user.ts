import { randomBytes } from "node:crypto";
import { isDuplicateKey } from "@asset-register/mongo";
import type { Capability } from "@asset-register/rpc";
import { changesBetween, newId } from "@asset-register/runtime";
import type { Caller, Context } from "../../context.ts";
import { invitationToken, sha256, TOKEN_BYTES } from "../../domain/token.ts";
import { grantedCapabilities, INVITATION_MS, type User } from "../../domain/user.ts";
import { INVITED_BY_EMAIL } from "../../store/users.ts";
import { auditEntry } from "../audit-entry.ts";

export type InviteUser = { email: string; name: string; capabilities: Capability[]; admin: boolean };

/** `token` is the invitation. It is known only now. */
export type InvitedUser = { user: User; token: string };

/**
 * Invites a person. It does not check whether the email has an account, so that nobody can find that out. An open
 * invitation of the email in this workspace is replaced, and its token ends.
 */
export async function inviteUser(context: Context, input: InviteUser, call: Caller): Promise<InvitedUser> {
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
  { mongo, stores, now }: Context,
  { email, name, capabilities, admin }: InviteUser,
  token: string,
  call: Caller,
): Promise<InvitedUser> {
  const { workspaceId } = call;
  return mongo.transaction(call, async (session) => {
    const at = now();
    const before = await stores.users.findInvited(workspaceId, email, session);
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
      invitationExpiresAt: new Date(at.getTime() + INVITATION_MS),
    };
    if (before) await stores.users.save(workspaceId, user, before.rev, session);
    else await stores.users.insert(workspaceId, user, session);
    const changes = changesBetween({}, { email: user.email, capabilities: user.capabilities });
    const entry = auditEntry(call, at, "user.invited", user.id, changes);
    await stores.auditLog.append(workspaceId, [entry], session);
    return { user, token };
  });
}
