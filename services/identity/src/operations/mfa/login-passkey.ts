import { changesBetween, unauthenticated } from "@asset-register/runtime";
import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import type { Context, SignInCall } from "../../context.ts";
import type { Passkey } from "../../domain/mfa.ts";
import type { DeviceDescription, SignIn } from "../../domain/session.ts";
import { challengeOf, requestOptions } from "../../webauthn.ts";
import { ANONYMOUS, auditEntry } from "../audit-entry.ts";
import { admitAddress } from "../sessions/admit-address.ts";
import { startSession } from "../sessions/start-session.ts";
import { checkProof } from "./check-proof.ts";
import { factorsOf } from "./factors-of.ts";

type FromAddress = { clientAddress?: string | undefined };
export type LoginPasskey = DeviceDescription &
  FromAddress & { assertion: AuthenticationResponseJSON; deviceUuid?: string | undefined };

/** Options for a sign-in with a passkey alone. They name no passkey, so they tell nothing about any account. */
export async function startPasskeyLogin(context: Context, { clientAddress }: FromAddress) {
  await admitAddress(context, "sign_in", clientAddress);
  const challenge = context.challenges.make({ purpose: "passkey_login" });
  return requestOptions(context.webauthn, challenge, "required");
}

/** Signs in with a passkey that has verified its user: it counts as two factors. */
export async function loginPasskey(context: Context, input: LoginPasskey, call: SignInCall): Promise<SignIn> {
  const { stores } = context;
  const { assertion, ...device } = input;
  await context.credentialVersions.requireReachable();
  await admitAddress(context, "sign_in", input.clientAddress);
  const text = challengeOf(assertion);
  const challenge = text === undefined ? undefined : context.challenges.open("passkey_login", text);
  const passkey = await stores.credentials.findPasskey(assertion.id);
  if (challenge === undefined || passkey === undefined) throw refused();
  const { workspaceId, userId } = passkey;
  const [user, workspace] = await Promise.all([
    stores.users.get(workspaceId, userId),
    stores.workspaces.get(workspaceId),
  ]);
  if (user === undefined) throw refused();
  const found = await factorsOf(context, user);
  const proven = await checkProof(context, found, { assertion }, challenge.text);
  const isOwner = assertion.response.userHandle === found.factors?.userHandle;
  if (!proven?.userVerified || !isOwner) return refuse(context, passkey, "passkey", input, call);
  if (user.status !== "active" || workspace?.status !== "active")
    return refuse(context, passkey, "disabled", input, call);
  const signIn = await startSession(
    context,
    user,
    {
      ...device,
      factors: ["passkey"],
      async alongside(transaction, at) {
        const isFirst = await stores.usedChallenges.use(challenge, transaction);
        if (!isFirst || !(await proven.spend(transaction, at))) throw refused();
      },
    },
    call,
  );
  if (signIn === undefined) throw refused();
  return signIn;
}

const refused = () => unauthenticated("This passkey can't be used here.");

async function refuse(
  { stores, now }: Context,
  { workspaceId, userId }: Passkey,
  reason: "passkey" | "disabled",
  { clientAddress }: FromAddress,
  { requestId, clientRequestId }: SignInCall,
): Promise<never> {
  const by = { workspaceId, actor: ANONYMOUS, requestId, clientAddress, clientRequestId };
  const entry = auditEntry(by, now(), "session.sign_in_failed", userId, changesBetween({}, { reason }));
  await stores.auditLog.append(workspaceId, [entry]);
  throw refused();
}
