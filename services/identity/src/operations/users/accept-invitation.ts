import { isDuplicateKey } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { invalid } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { assertNotEmail } from "../../domain/password.ts";
import { sha256 } from "../../domain/token.ts";
import type { User } from "../../domain/user.ts";
import { USERS_BY_EMAIL } from "../../store/users.ts";
import { auditEntry } from "../audit-entry.ts";
import { admitAddress } from "../sessions/admit-address.ts";

export type AcceptInvitation = {
  token: string;
  /** The name of the invitation when absent. */
  name?: string | undefined;
  password: string;
  clientAddress?: string | undefined;
};

const notValid = () => invalid([{ field: "token", message: "is not a valid invitation" }]);

/** Accepts an invitation, once. Every reason of a refusal gives the same answer, also that the email has an account. */
export async function acceptInvitation(context: Context, input: AcceptInvitation, call: Call): Promise<User> {
  // With an Idempotency-Key it was counted already, before the look-up of the key: see findInvitationKeyOwner.
  if (call.keyed === undefined) await admitAddress(context, "invitation", input.clientAddress);
  const { mongo, stores, passwords, now } = context;
  const hash = sha256(input.token);
  const invited = await stores.credentials.findInvited(hash);
  const workspace = invited && (await stores.workspaces.get(invited.workspaceId));
  if (workspace?.status !== "active" || !invited || !isOpen(invited, hash, now())) throw notValid();
  assertNotEmail("password", input.password, invited.email);

  const passwordHash = await passwords.hash(input.password);
  const { workspaceId, id } = invited;
  const by = { workspaceId, actor: { kind: "user", id } as const, requestId: call.requestId };
  try {
    return await mongo.transaction(call, async (session) => {
      const at = now();
      const before = await stores.users.get(workspaceId, id, session);
      if (before === undefined || !isOpen(before, hash, at)) throw notValid();
      const user: User = {
        ...before,
        name: input.name ?? before.name,
        passwordHash,
        status: "active",
        rev: before.rev + 1,
        updatedAt: at,
        invitationExpiresAt: undefined,
      };
      await stores.users.save(workspaceId, user, before.rev, session);
      const entry = auditEntry(by, at, "user.invitation_accepted", id);
      await stores.auditLog.append(workspaceId, [{ ...entry, clientAddress: input.clientAddress }], session);
      return user;
    });
  } catch (error) {
    if (isDuplicateKey(error, USERS_BY_EMAIL)) throw notValid();
    throw error;
  }
}

/** Whether the invitation with this hash can be accepted: it is neither accepted, replaced, cancelled nor expired. */
function isOpen({ status, invitationHash, invitationExpiresAt }: User, hash: string, now: Date): boolean {
  return status === "invited" && invitationHash === hash && (invitationExpiresAt ?? now) > now;
}

/**
 * The owner of the Idempotency-Key of an acceptance: the token, spent or not, is a credential. Repeats are found by
 * the key, so they count for their address here. An unknown token has no owner and is no invitation.
 */
export async function findInvitationKeyOwner(
  context: Context,
  { token, clientAddress }: Pick<AcceptInvitation, "token" | "clientAddress">,
) {
  await admitAddress(context, "invitation", clientAddress);
  const user = await context.stores.credentials.findInvited(sha256(token));
  if (user === undefined) throw notValid();
  return { workspaceId: user.workspaceId, principal: `user:${user.id}` };
}
