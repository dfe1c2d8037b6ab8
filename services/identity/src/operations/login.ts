import { randomBytes, randomUUID } from "node:crypto";
import { backoff, exhausted, invalid, newId, sleep, unauthenticated } from "@asset-register/runtime";
import type { Identity, SignInCall } from "../context.ts";
import { checkDevice, type Device } from "../domain/device.ts";
import { emailKey } from "../domain/email.ts";
import { attempt } from "../domain/lockout.ts";
import { accessTokenOf, lifetimes, refreshTokenOf, type SignIn, tokensOf } from "../domain/session.ts";
import { sha256, TOKEN_BYTES, tokenPair } from "../domain/token.ts";
import type { User } from "../domain/user.ts";

export type Login = { email: string; password: string; clientAddress: string; device: Device };

/** As long as checking a password takes on a busy machine. */
const PATIENCE_MS = 1_000;

/**
 * Starts the session of a device. An account that does not exist, a wrong
 * password and a disabled user or workspace look the same from outside, in
 * words and in time.
 */
export async function login(identity: Identity, input: Login, call: SignInCall): Promise<SignIn> {
  const violations = checkDevice(input.device);
  if (violations.length > 0) throw invalid(violations);
  await admitAddress(identity, input.clientAddress);
  const account = sha256(emailKey(input.email));
  await countAttempt(identity, account, call);
  const user = await authenticate(identity, input);
  await identity.signInLimits.forget(account);
  return startSession(identity, user, input.device, call);
}

async function admitAddress({ signInLimits, clock }: Identity, address: string): Promise<void> {
  if (address === "") return;
  const retryAfterMs = await signInLimits.admit(sha256(address), clock());
  if (retryAfterMs > 0) throw exhausted("Too many sign-ins from this address", retryAfterMs);
}

/**
 * A refusal may come from attempts that are still being decided: the right
 * password eight times at once must get in eight times. So we look again until
 * the last one is PATIENCE_MS old, and then it counts.
 */
async function countAttempt(identity: Identity, account: string, { signal }: SignInCall): Promise<void> {
  const { signInLimits, clock } = identity;
  const patience = performance.now() + PATIENCE_MS;
  for (;;) {
    const now = clock();
    const { failures, rev } = await signInLimits.failures(account);
    const result = attempt(failures, now);
    if (result.allowed && (await signInLimits.save(account, result.failures, rev, now))) return;
    const last = failures.times.at(-1)?.getTime() ?? 0;
    const undecided = result.allowed || now.getTime() - last < PATIENCE_MS;
    if (!undecided || performance.now() >= patience) {
      throw exhausted("Too many failed sign-ins", result.allowed ? PATIENCE_MS : result.retryAfterMs);
    }
    await sleep(backoff(0, { baseMs: 50, maxMs: 50 }), signal);
  }
}

async function authenticate(identity: Identity, { email, password }: Login): Promise<User> {
  const { credentials, passwords, users, workspaces } = identity;
  const user = await credentials.user(email);
  const right = await passwords.verify(user?.passwordHash, password);
  const workspace = right && user && (await workspaces.find(user.workspaceId));
  if (!user || !workspace || user.status !== "active" || workspace.status !== "active") {
    throw unauthenticated("The email or the password is wrong");
  }
  if (passwords.isOutdated(user.passwordHash)) {
    const renewed = await passwords.hash(password);
    await users.renewPasswordHash(user.workspaceId, user.id, user.passwordHash, renewed);
  }
  return user;
}

async function startSession(
  identity: Identity,
  user: User,
  device: Device,
  { deadline }: SignInCall,
): Promise<SignIn> {
  const { mongo, sessions, refreshTokens, versions, clock } = identity;
  const { workspaceId } = user;
  const now = clock();
  const pair = tokenPair(randomBytes(TOKEN_BYTES), randomBytes(TOKEN_BYTES));
  const expiresAt = new Date(now.getTime() + lifetimes.session);
  const started = {
    ...device,
    id: newId("ses"),
    workspaceId,
    userId: user.id,
    deviceUuid: device.deviceUuid === "" ? randomUUID() : device.deviceUuid.toLowerCase(),
    family: randomUUID(),
    accessTokens: [accessTokenOf({ expiresAt }, pair, now)],
    expiresAt,
  };
  const session = await mongo.transaction({ deadline }, async (transaction) => {
    const saved = await sessions.signIn(workspaceId, started, now, transaction);
    await refreshTokens.insert(workspaceId, refreshTokenOf(saved, pair, now), transaction);
    return saved;
  });
  await versions.raise(session.id, session.version);
  return { tokens: tokensOf(session, pair, now), session, user };
}
