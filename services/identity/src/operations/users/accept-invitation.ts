import { isDuplicateKey } from "@asset-register/mongo";
import type { Call, Origin } from "@asset-register/rpc";
import { clientNetworks, invalid } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { sha256 } from "../../domain/token.ts";
import { hasAccepted, type User } from "../../domain/user.ts";
import { NO_WORKSPACE } from "../../store/audit-log.ts";
import { USERS_BY_EMAIL } from "../../store/users.ts";
import { assertNewPassword } from "../assert-new-password.ts";
import { ANONYMOUS, auditEntry } from "../audit-entry.ts";
import { admitAddress } from "../sessions/admit-address.ts";

export type AcceptInvitation = {
  token: string;
  /** The name of the invitation when absent. */
  name?: string | undefined;
  password: string;
  clientAddress?: string | undefined;
};

const notValid = () => invalid([{ field: "token", message: "is not a valid invitation" }]);

/** Why an acceptance was refused. It is in the audit log, never in the answer. */
type Refusal = "unknown" | "accepted" | "expired" | "cancelled" | "workspace_disabled" | "account";

/**
 * Accepts an invitation, once. Every reason of a refusal gives the same answer after the same time, also that the email
 * has an account.
 */
export async function acceptInvitation(context: Context, input: AcceptInvitation, call: Call): Promise<User> {
  // With an Idempotency-Key it was counted already, before the look-up of the key: see findInvitationKeyOwner.
  if (call.keyed === undefined) await admitAddress(context, "invitation", input.clientAddress);
  const { mongo, stores, passwords, now } = context;
  const hash = sha256(input.token);
  // Takes most of the time, so it comes before all checks.
  const passwordHash = await passwords.hash(input.password);
  const invited = await stores.credentials.findInvited(hash);
  if (invited === undefined) return refuse(context, input, "unknown", undefined, call);
  const workspace = await stores.workspaces.get(invited.workspaceId);
  if (workspace?.status !== "active") return refuse(context, input, "workspace_disabled", invited, call);
  const obstacle = obstacleTo(invited, hash, now());
  if (obstacle !== undefined) return refuse(context, input, obstacle, invited, call);
  const { workspaceId, id, email } = invited;
  const name = input.name ?? invited.name;
  const owner = { email, name, workspaceName: workspace.name };
  await assertNewPassword(context, "password", input.password, owner);

  const { requestId, clientRequestId } = call;
  const actor = { kind: "user", id } as const;
  const by = { workspaceId, actor, requestId, clientAddress: input.clientAddress, clientRequestId };
  const lostRace = notValid();
  try {
    return await mongo.transaction(call, async (session) => {
      const at = now();
      const before = await stores.users.get(workspaceId, id, session);
      if (before === undefined || obstacleTo(before, hash, at) !== undefined) throw lostRace;
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
      await stores.auditLog.append(workspaceId, [entry], session);
      return user;
    });
  } catch (error) {
    if (error === lostRace) return refuse(context, input, "accepted", invited, call);
    // The entry belongs to no workspace: admins who read it would learn that the email has an account.
    if (isDuplicateKey(error, USERS_BY_EMAIL)) return refuse(context, input, "account", undefined, call);
    throw error;
  }
}

/** Why the invitation with this hash can't be accepted. Undefined when it can. */
function obstacleTo(user: User, hash: string, now: Date): Refusal | undefined {
  const { status, invitationHash, invitationExpiresAt } = user;
  if (status === "active" || hasAccepted(user)) return "accepted";
  if (status === "disabled" || invitationHash !== hash) return "cancelled";
  return (invitationExpiresAt ?? now) > now ? undefined : "expired";
}

/** A refusal is noted once in this time for each invitation and client network, so a flood does not fill the log. */
const NOTED_EVERY_MS = 15 * 60_000;

/** Notes a refused acceptance in the audit log, and refuses it. */
async function refuse(
  { stores, now }: Context,
  { clientAddress }: Pick<AcceptInvitation, "clientAddress">,
  reason: Refusal,
  invited: User | undefined,
  { requestId, clientRequestId }: Partial<Origin> = {},
): Promise<never> {
  const at = now();
  const network = clientNetworks(clientAddress ?? "").at(-1)?.network;
  const event = sha256(`invitation ${invited?.id} ${reason} ${network}`);
  if (await stores.signInLimits.isFirst(event, new Date(at.getTime() + NOTED_EVERY_MS), at)) {
    const workspaceId = invited?.workspaceId ?? NO_WORKSPACE;
    const by = { workspaceId, actor: ANONYMOUS, requestId, clientAddress, clientRequestId };
    const changes = [{ field: "reason", after: reason }];
    const entry = auditEntry(by, at, "user.invitation_refused", invited?.id, changes);
    await (invited
      ? stores.auditLog.append(invited.workspaceId, [entry])
      : stores.auditLog.appendForNobody(entry));
  }
  throw notValid();
}

/**
 * The owner of the Idempotency-Key of an acceptance: the token, spent or not, is a credential. Repeats are found by
 * the key, so they count for their address here. An unknown token has no owner and is no invitation.
 */
export async function findInvitationKeyOwner(
  context: Context,
  input: Pick<AcceptInvitation, "token" | "clientAddress">,
) {
  await admitAddress(context, "invitation", input.clientAddress);
  const user = await context.stores.credentials.findInvited(sha256(input.token));
  if (user === undefined) return refuse(context, input, "unknown", undefined);
  return { workspaceId: user.workspaceId, principal: `user:${user.id}` };
}
