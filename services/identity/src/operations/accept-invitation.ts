import type { Call } from "@asset-register/rpc";
import { invalid } from "@asset-register/runtime";
import type { Identity } from "../context.ts";
import { act } from "../domain/audit.ts";
import { sha256 } from "../domain/token.ts";
import { checkAcceptance, type User } from "../domain/user.ts";
import { admitAddress } from "./admit-address.ts";

/** An empty `name` keeps the invited one. */
export type AcceptInvitation = { token: string; name: string; password: string; clientAddress: string };

const notValid = () => invalid([{ field: "token", message: "is not a valid invitation" }]);

/** Takes an invitation, once. The same refusal for whatever is wrong with it, an email with an account too. */
export async function acceptInvitation(
  identity: Identity,
  input: AcceptInvitation,
  call: Call,
): Promise<User> {
  // Under an Idempotency-Key it was counted already, before the key was looked up: see invitationKeyOwner.
  if (call.keyed === undefined) await admitAddress(identity, "invitation", input.clientAddress);
  const { mongo, credentials, workspaces, users, passwords, audit, clock } = identity;
  const hash = sha256(input.token);
  const invited = await credentials.invited(hash);
  const workspace = invited && (await workspaces.find(invited.workspaceId));
  const stands = (now: Date): boolean =>
    invited?.status === "invited" && (invited.invitationEndsAt ?? now) > now;
  if (!invited || workspace?.status !== "active" || !stands(clock())) throw notValid();
  const violations = checkAcceptance(input, invited.email);
  if (violations.length > 0) throw invalid(violations);

  const passwordHash = await passwords.hash(input.password);
  const name = input.name.trim() === "" ? invited.name : input.name.trim();
  const { workspaceId, id } = invited;
  return mongo.transaction(call, async (session) => {
    const now = clock();
    const before = await users.find(workspaceId, id, session);
    if (before === undefined) throw notValid();
    const { invitationEndsAt, ...kept } = before;
    const version = before.version + 1;
    const user: User = { ...kept, name, passwordHash, status: "active", version, updatedAt: now };
    if (!(await users.accept(workspaceId, user, hash, session))) throw notValid();
    const by = { actor: { kind: "user", id } as const, requestId: call.requestId };
    const accepted = act(by, now, "user.invitation_accepted", id);
    await audit.add(workspaceId, { ...accepted, clientAddress: input.clientAddress }, session);
    return user;
  });
}

/**
 * Whose the Idempotency-Key of an acceptance is: the token, spent or not, is a credential. Repeats are found by
 * it, so they count for their address here. A token that is nobody's has no key, and no invitation either.
 */
export async function invitationKeyOwner(
  identity: Identity,
  { token, clientAddress }: Pick<AcceptInvitation, "token" | "clientAddress">,
) {
  await admitAddress(identity, "invitation", clientAddress);
  const user = await identity.credentials.invited(sha256(token));
  if (user === undefined) throw notValid();
  return { workspaceId: user.workspaceId, principal: `user:${user.id}` };
}
