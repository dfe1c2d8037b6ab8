import { randomBytes, randomUUID } from "node:crypto";
import { changesBetween, invalid, newId, unauthenticated } from "@asset-register/runtime";
import type { Identity, SignInCall } from "../context.ts";
import { type Act, act } from "../domain/audit.ts";
import { checkDevice, type Device } from "../domain/device.ts";
import { accessTokenOf, lifetimes, refreshTokenOf, type SignIn, tokensOf } from "../domain/session.ts";
import { TOKEN_BYTES, tokenPair } from "../domain/token.ts";
import type { User } from "../domain/user.ts";
import { admitAddress } from "./admit-address.ts";
import { countAttempt } from "./count-attempt.ts";

export type Login = { email: string; password: string; clientAddress: string; device: Device };

/** A user who changes under each of so many sign-ins is looked up no more. */
const TRIES = 3;

/**
 * Starts the session of a device. An account that does not exist, a wrong
 * password and a disabled user or workspace look the same from outside, in
 * words and in time.
 */
export async function login(identity: Identity, input: Login, call: SignInCall): Promise<SignIn> {
  const violations = checkDevice(input.device);
  if (violations.length > 0) throw invalid(violations);
  // The device's sign-in before this one ends at every gateway at once.
  await identity.versions.requireReachable();
  await admitAddress(identity, "sign_in", input.clientAddress);
  const counted = await countAttempt(identity, input.email, call);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const user = await authenticate(identity, input, counted.lockedUntil, call);
    // Whatever comes of the sign-in, such as a 503 and a retry: it was no guess.
    await counted.succeed();
    await renewHash(identity, user, input.password);
    const signIn = await startSession(identity, user, input, call);
    if (signIn !== undefined) return signIn;
  }
  throw refused();
}

const refused = () => unauthenticated("The email or the password is wrong");

async function authenticate(
  identity: Identity,
  { email, password, clientAddress }: Login,
  lockedUntil: Date | undefined,
  { requestId }: SignInCall,
): Promise<User> {
  const { credentials, passwords, workspaces, audit, clock } = identity;
  const user = await credentials.user(email);
  const right = await passwords.verify(user?.passwordHash, password);
  const workspace = right && user && (await workspaces.find(user.workspaceId));
  if (!user || !workspace || user.status !== "active" || workspace.status !== "active") {
    const failed: Act = {
      ...act({ actor: NOBODY, requestId }, clock(), "session.sign_in_failed", user?.id ?? "", [
        { field: "reason", after: right ? "disabled" : "password" },
        ...(lockedUntil ? [{ field: "locked_until", after: lockedUntil.toISOString() }] : []),
      ]),
      clientAddress,
    };
    await (user ? audit.add(user.workspaceId, failed) : audit.addForNobody(failed));
    throw refused();
  }
  return user;
}

/** Hashes made with less work than is asked now are made anew when their password is there. */
async function renewHash({ passwords, users }: Identity, user: User, password: string): Promise<void> {
  if (!passwords.isOutdated(user.passwordHash)) return;
  const renewed = await passwords.hash(password);
  await users.renewPasswordHash(user.workspaceId, user.id, user.passwordHash, renewed);
}

/** Who tried is not known: that is what failed. */
const NOBODY = { kind: "service", id: "anonymous" } as const;

/** None when the user changed since the password was looked at. */
async function startSession(
  identity: Identity,
  user: User,
  { device, clientAddress }: Login,
  { deadline, requestId }: SignInCall,
): Promise<SignIn | undefined> {
  const { mongo, sessions, users, refreshTokens, versions, audit, clock } = identity;
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
  const by = { actor: { kind: "user", id: user.id } as const, requestId };
  const on = changesBetween({}, { device_uuid: started.deviceUuid, label: device.label });
  const session = await mongo.transaction({ deadline }, async (transaction) => {
    if (!(await users.signedIn(workspaceId, user.id, user.version, now, transaction))) return undefined;
    const saved = await sessions.signIn(workspaceId, started, now, transaction);
    await refreshTokens.insert(workspaceId, refreshTokenOf(saved, pair, now), transaction);
    const signedIn = { ...act(by, now, "session.signed_in", user.id, on), clientAddress };
    await audit.add(workspaceId, signedIn, transaction);
    return saved;
  });
  if (session === undefined) return undefined;
  await versions.raise(session.id, session.version);
  return { tokens: tokensOf(session, pair, now), session, user };
}
