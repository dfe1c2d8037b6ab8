import { changesBetween, unauthenticated } from "@asset-register/runtime";
import type { Context, SignInCall } from "../../context.ts";
import type { Challenge } from "../../domain/challenge.ts";
import type { SignIn } from "../../domain/session.ts";
import type { User } from "../../domain/user.ts";
import { ANONYMOUS, auditEntry } from "../audit-entry.ts";
import { admitAddress } from "../sessions/admit-address.ts";
import { countAttempt } from "../sessions/count-attempt.ts";
import { startSession } from "../sessions/start-session.ts";
import { sessionOfCode } from "../sso/session-of-code.ts";
import { checkProof, type Proof } from "./check-proof.ts";
import { factorsOf } from "./factors-of.ts";

export type LoginMfa = Proof & { challenge: string; deviceUuid: string; clientAddress?: string | undefined };

const ended = () => unauthenticated("This sign-in has ended. Begin it again.", "MFA_CHALLENGE_ENDED");

/**
 * The second step of a sign-in. A wrong proof counts as a failure, in a counter of its own: the right password, which
 * was shown before, does not reset it.
 */
export async function loginMfa(context: Context, input: LoginMfa, call: SignInCall): Promise<SignIn> {
  const { stores } = context;
  await context.credentialVersions.requireReachable();
  const challenge = await openTry(context, input);
  if (challenge === undefined) {
    // The first step has counted for the challenges that are right.
    await admitAddress(context, "sign_in", input.clientAddress);
    throw ended();
  }
  const { workspaceId, userId, deviceUuid, label, platform, appVersion } = challenge;
  const { clientAddress } = input;
  const [user, workspace, isKnown] = await Promise.all([
    stores.users.get(workspaceId, userId),
    stores.workspaces.get(workspaceId),
    stores.sessions.isKnownDevice(workspaceId, userId, deviceUuid),
  ]);
  if (user?.rev !== challenge.rev || user.status !== "active" || workspace?.status !== "active")
    throw ended();

  const ofCode = await findCode(context, challenge);
  const knownDevice = isKnown ? deviceUuid : undefined;
  const attempted = { email: user.email, knownDevice, clientAddress, of: "second_factor" } as const;
  const counted = await countAttempt(context, attempted, call, (lockedUntil) =>
    auditFailure(context, user, { reason: "locked", lockedUntil, clientAddress }, call),
  );
  const proven = await checkProof(context, await factorsOf(context, user), input, input.challenge);
  if (proven === undefined) {
    const { lockedUntil } = counted;
    await auditFailure(context, user, { reason: "second_factor", lockedUntil, clientAddress }, call);
    throw unauthenticated("The second factor is wrong.");
  }
  await counted.succeed();
  const signIn = await startSession(
    context,
    user,
    {
      ...{ deviceUuid, label, platform, appVersion, clientAddress },
      ...(ofCode && { authenticatedAt: ofCode.authenticatedAt, lifetimeMs: ofCode.lifetimeMs }),
      factors: [ofCode ? "sso" : "password", proven.factor],
      async alongside(transaction, at, session) {
        const isFirst = await stores.usedChallenges.use(challenge, transaction);
        if (!isFirst || !(await proven.spend(transaction, at))) throw ended();
        if (ofCode && !(await ofCode.use(transaction, at, session))) throw ended();
      },
    },
    call,
  );
  if (signIn === undefined) throw ended();
  return signIn;
}

/** The challenge, if it is of this device and may be tried once more. */
async function openTry(
  { stores, challenges }: Context,
  { challenge: text, deviceUuid }: Pick<LoginMfa, "challenge" | "deviceUuid">,
): Promise<Challenge<"second_factor"> | undefined> {
  const challenge = challenges.open("second_factor", text);
  if (challenge?.deviceUuid !== deviceUuid) return undefined;
  return (await stores.usedChallenges.admitTry(challenge)) ? challenge : undefined;
}

/** The sign-in with a provider that came before this step. Undefined after a password. */
async function findCode(
  { stores, sso, now, ...context }: Context,
  { workspaceId, ssoCodeId }: Challenge<"second_factor">,
) {
  if (ssoCodeId === undefined) return undefined;
  const [code, connection] = await Promise.all([
    stores.ssoCodes.find(ssoCodeId),
    stores.ssoConnections.get(workspaceId),
  ]);
  if (
    sso === undefined ||
    code === undefined ||
    code.expiresAt <= now() ||
    connection?.id !== code.connectionId
  )
    throw ended();
  return sessionOfCode({ ...context, stores, sso, now }, code);
}

type Failure = {
  reason: "second_factor" | "locked";
  lockedUntil: Date | undefined;
  clientAddress: string | undefined;
};

async function auditFailure(
  { stores, now }: Context,
  { workspaceId, id }: User,
  { reason, lockedUntil, clientAddress }: Failure,
  { requestId, clientRequestId }: SignInCall,
): Promise<void> {
  const by = { workspaceId, actor: ANONYMOUS, requestId, clientAddress, clientRequestId };
  const changes = changesBetween({}, { reason, lockedUntil });
  await stores.auditLog.append(workspaceId, [auditEntry(by, now(), "session.sign_in_failed", id, changes)]);
}
