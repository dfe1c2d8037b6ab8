import type { Call } from "@asset-register/rpc";
import { changesBetween, forbidden, invalid, unauthenticated } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { User } from "../../domain/user.ts";
import { challengeOf, requestOptions } from "../../webauthn.ts";
import { auditEntry } from "../audit-entry.ts";
import { countAttempt } from "../sessions/count-attempt.ts";
import { findConnection } from "../sso/start-sso.ts";
import { checkProof, type Proof, type Proven } from "./check-proof.ts";
import { factorsOf, hasFactor, methodsOf } from "./factors-of.ts";

export type Reauthenticate = Omit<Proof, "recoveryCode"> & { password?: string | undefined };

async function callerOf(context: Context, { principal }: Call) {
  if (principal.kind !== "user") throw forbidden("Only users can reauthenticate.");
  const user = await context.stores.users.get(principal.workspaceId, principal.id);
  if (user === undefined) throw unauthenticated();
  return { user, found: await factorsOf(context, user), ...principal, id: user.id };
}

/** The methods with which the caller can reauthenticate. */
export async function startReauthentication(context: Context, call: Call) {
  const { user, found, sessionId } = await callerOf(context, call);
  const { id: userId, rev } = user;
  const methods = methodsOf(context, found).filter((method) => method !== "recovery_code");
  const passkeyOptions = methods.includes("passkey")
    ? requestOptions(
        context.webauthn,
        context.challenges.make({ purpose: "reauthentication", userId, rev, sessionId }),
        "preferred",
        found.passkeys,
      )
    : undefined;
  const connection = user.hasIdentity && context.sso ? await findConnection(context, user.email) : undefined;
  return {
    password: user.passwordHash !== undefined,
    methods,
    passkeyOptions,
    sso: connection?.workspaceId === user.workspaceId,
  };
}

/**
 * Makes the session recent. Without a second factor it takes the password; with one, a passkey that has verified its
 * user, or the password and a proof. A wrong one counts as a failed sign-in on the caller's device.
 */
export async function reauthenticate(context: Context, input: Reauthenticate, call: Call): Promise<object> {
  const { mongo, stores, challenges, now } = context;
  const { user, found, sessionId, deviceUuid, workspaceId } = await callerOf(context, call);
  const attempted = { email: user.email, knownDevice: deviceUuid, clientAddress: call.clientAddress };
  const fail = (reason: string, lockedUntil?: Date) => auditFailure(context, user, reason, lockedUntil, call);

  const text = input.assertion && challengeOf(input.assertion);
  const challenge = text === undefined ? undefined : challenges.open("reauthentication", text);
  const isOwn =
    challenge?.userId === user.id && challenge.sessionId === sessionId && challenge.rev === user.rev;
  if (input.assertion !== undefined && !isOwn) {
    throw invalid([{ field: "assertion", message: "is for another session, or has expired: start again" }]);
  }
  const proven = await proveFactor();
  if (!proven?.userVerified) await provePassword();
  return mongo.transaction(call, async (transaction) => {
    const at = now();
    const used = challenge === undefined || (await stores.usedChallenges.use(challenge, transaction));
    if (!used || (proven && !(await proven.spend(transaction, at)))) {
      throw invalid([{ field: challenge ? "assertion" : "code", message: "was used already" }]);
    }
    if (!(await stores.sessions.reauthenticate(workspaceId, sessionId, at, transaction))) {
      throw unauthenticated();
    }
    return {};
  });

  async function proveFactor(): Promise<Proven | undefined> {
    if (!hasFactor(found)) return undefined;
    const { code, assertion } = input;
    if (code === undefined && assertion === undefined) {
      throw invalid([
        { field: "code", message: "is required, or a passkey: the account has a second factor" },
      ]);
    }
    const counted = await countAttempt(context, { ...attempted, of: "second_factor" }, call, (until) =>
      fail("locked", until),
    );
    const proven = await checkProof(context, found, { code, assertion }, challenge?.text ?? "");
    if (proven === undefined) {
      await fail("second_factor", counted.lockedUntil);
      throw invalid([{ field: assertion ? "assertion" : "code", message: "is wrong" }]);
    }
    await counted.succeed();
    return proven;
  }

  async function provePassword(): Promise<void> {
    const { password } = input;
    if (password === undefined) throw invalid([{ field: "password", message: "is required" }]);
    if (user.passwordHash === undefined) {
      throw invalid([{ field: "password", message: "is not set: sign in again by single sign-on" }]);
    }
    const counted = await countAttempt(context, attempted, call, (until) => fail("locked", until));
    if (!(await context.passwords.verify(user.passwordHash, password))) {
      await fail("password", counted.lockedUntil);
      throw invalid([{ field: "password", message: "is wrong" }]);
    }
    await counted.succeed();
  }
}

async function auditFailure(
  { stores, now }: Context,
  { workspaceId, id }: User,
  reason: string,
  lockedUntil: Date | undefined,
  call: Call,
): Promise<void> {
  const changes = changesBetween({}, { reason, lockedUntil });
  const entry = auditEntry(call, now(), "session.reauthentication_failed", id, changes);
  await stores.auditLog.append(workspaceId, [entry]);
}
