import { randomBytes } from "node:crypto";
import { isDuplicateKey } from "@asset-register/mongo";
import { changesBetween, conflict, invalid, newId } from "@asset-register/runtime";
import type { ClientSession } from "mongoose";
import type { Caller, Identity } from "../context.ts";
import { act } from "../domain/audit.ts";
import { invitationToken, sha256, TOKEN_BYTES } from "../domain/token.ts";
import {
  checkInvitation,
  granted,
  INVITATION_MS,
  type Invitation,
  type NewInvitation,
  type User,
} from "../domain/user.ts";
import { INVITED_BY_EMAIL } from "../store/users.ts";

/** `token` is the invitation itself, known now and never again. */
export type InvitedUser = { user: User; token: string };

/**
 * Invites a person. Whether the email has an account anywhere is not looked at,
 * so that nobody learns it here. An invitation by the same email that still
 * stands in this workspace is replaced, and its token ends.
 */
export async function inviteUser(
  identity: Identity,
  input: NewInvitation,
  caller: Caller,
): Promise<InvitedUser> {
  const violations = checkInvitation(input);
  if (violations.length > 0) throw invalid(violations);
  const { workspaceId } = caller;
  const token = invitationToken(randomBytes(TOKEN_BYTES));
  const invite = () =>
    identity.mongo.transaction(caller, async (session) => {
      const now = identity.clock();
      const invitation = { hash: sha256(token), endsAt: new Date(now.getTime() + INVITATION_MS) };
      const user = await save(identity, input, invitation, { workspaceId, now, session });
      const changes = changesBetween({}, { email: user.email, capabilities: user.capabilities.join(" ") });
      await identity.audit.add(workspaceId, act(caller, now, "user.invited", user.id, changes), session);
      return { user, token };
    });
  try {
    return await invite();
  } catch (error) {
    // The same email at the same time: now the other's invitation is there to replace.
    if (isDuplicateKey(error, INVITED_BY_EMAIL)) return invite();
    throw error;
  }
}

type Inside = { workspaceId: string; now: Date; session: ClientSession };

async function save(
  { users }: Identity,
  { email, name, capabilities, admin }: NewInvitation,
  invitation: Invitation,
  { workspaceId, now, session }: Inside,
): Promise<User> {
  const before = await users.findInvited(workspaceId, email, session);
  const user: User = {
    id: before?.id ?? newId("usr"),
    workspaceId,
    email: before?.email ?? email.trim(),
    name: name.trim(),
    passwordHash: "",
    capabilities: granted(capabilities, admin),
    status: "invited",
    version: (before?.version ?? 0) + 1,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
    invitationEndsAt: invitation.endsAt,
  };
  if (before === undefined) await users.insertInvited(workspaceId, user, invitation, session);
  else if (!(await users.replace(workspaceId, user, before.version, session, invitation))) {
    throw conflict("CONFLICT", "The invitation was changed at the same time");
  }
  return user;
}
