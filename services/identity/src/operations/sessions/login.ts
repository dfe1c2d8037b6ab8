import { randomBytes, randomUUID } from "node:crypto";
import { changesBetween, newId, unauthenticated } from "@asset-register/runtime";
import type { Context, SignInCall } from "../../context.ts";
import {
  type DeviceDescription,
  lifetimes,
  newAccessToken,
  newRefreshToken,
  type SignIn,
  withExpiry,
} from "../../domain/session.ts";
import { TOKEN_BYTES, tokenPair } from "../../domain/token.ts";
import type { User } from "../../domain/user.ts";
import { NO_WORKSPACE } from "../../store/audit-log.ts";
import { ANONYMOUS, auditEntry } from "../audit-entry.ts";
import { admitAddress } from "./admit-address.ts";
import { countAttempt } from "./count-attempt.ts";

export type Login = DeviceDescription & {
  email: string;
  password: string;
  /** A new device gets one. */
  deviceUuid?: string | undefined;
  clientAddress?: string | undefined;
};

/** How often the user may change between the check of the password and the sign-in. */
const TRIES = 3;

/**
 * Starts the session of a device. The answer and the time are the same for an account that does not exist, a wrong
 * password, a disabled user and a disabled workspace.
 */
export async function login(context: Context, input: Login, call: SignInCall): Promise<SignIn> {
  // A sign-in ends the device's earlier tokens at every gateway at once.
  await context.credentialVersions.requireReachable();
  await admitAddress(context, "sign_in", input.clientAddress);
  const { user: account, knownDevice } = await findAccount(context, input);
  const { email, clientAddress } = input;
  const counted = await countAttempt(context, { email, knownDevice, clientAddress }, call, (lockedUntil) =>
    auditFailure(context, account, { reason: "locked", lockedUntil, clientAddress }, call),
  );
  for (let tries = 0; tries < TRIES; tries += 1) {
    const user = await authenticate(context, input, counted.lockedUntil, call);
    // Also if the sign-in fails later: it was not a guess.
    await counted.succeed();
    await renewPasswordHash(context, user, input.password);
    const signIn = await startSession(context, user, input, call);
    if (signIn !== undefined) return signIn;
  }
  throw refused();
}

const refused = () => unauthenticated("The email or the password is wrong.");

/** The account, and the device if its user has signed in on it. The reads are the same for an unknown account. */
async function findAccount({ stores }: Context, { email, deviceUuid = "" }: Login) {
  const user = await stores.credentials.findUser(email);
  const { workspaceId = NO_WORKSPACE, id = "" } = user ?? {};
  const isKnown = await stores.sessions.isKnownDevice(workspaceId, id, deviceUuid);
  return { user, knownDevice: isKnown ? deviceUuid : undefined };
}

async function authenticate(
  context: Context,
  { email, password, clientAddress }: Login,
  lockedUntil: Date | undefined,
  call: SignInCall,
): Promise<User> {
  const { stores, passwords } = context;
  const user = await stores.credentials.findUser(email);
  const matches = await passwords.verify(user?.passwordHash, password);
  const workspace = matches && user && (await stores.workspaces.get(user.workspaceId));
  if (user && workspace && user.status === "active" && workspace.status === "active") return user;

  const reason = matches ? "disabled" : "password";
  await auditFailure(context, user, { reason, lockedUntil, clientAddress }, call);
  throw refused();
}

type Failure = {
  reason: "password" | "disabled" | "locked";
  lockedUntil: Date | undefined;
  clientAddress: string | undefined;
};

async function auditFailure(
  { stores, now }: Context,
  user: User | undefined,
  { reason, lockedUntil, clientAddress }: Failure,
  { requestId, clientRequestId }: SignInCall,
): Promise<void> {
  const workspaceId = user?.workspaceId ?? NO_WORKSPACE;
  const by = { workspaceId, actor: ANONYMOUS, requestId, clientAddress, clientRequestId };
  const changes = changesBetween({}, { reason, lockedUntil });
  const failed = auditEntry(by, now(), "session.sign_in_failed", user?.id, changes);
  await (user ? stores.auditLog.append(user.workspaceId, [failed]) : stores.auditLog.appendForNobody(failed));
}

/** Renews a hash with other work factors than today's: only now is the password known. */
async function renewPasswordHash(
  { passwords, stores }: Context,
  { workspaceId, id, passwordHash }: User,
  password: string,
): Promise<void> {
  if (passwordHash === undefined || !passwords.isOutdated(passwordHash)) return;
  await stores.users.renewPasswordHash(workspaceId, id, passwordHash, await passwords.hash(password));
}

/** Returns undefined when the user has changed since the password was checked. */
async function startSession(
  { mongo, stores, credentialVersions, now }: Context,
  user: User,
  { deviceUuid = randomUUID(), label, platform, appVersion, clientAddress }: Login,
  { deadline, requestId, clientRequestId }: SignInCall,
): Promise<SignIn | undefined> {
  const { workspaceId, id: userId } = user;
  const at = now();
  const pair = tokenPair(randomBytes(TOKEN_BYTES), randomBytes(TOKEN_BYTES));
  const expiresAt = new Date(at.getTime() + lifetimes.session);
  const started = {
    ...{ id: newId("ses"), workspaceId, userId, deviceUuid, label, platform, appVersion, expiresAt },
    family: randomUUID(),
    accessTokens: [newAccessToken({ expiresAt }, pair, at)],
  };
  const actor = { kind: "user", id: userId } as const;
  const by = { workspaceId, actor, requestId, clientAddress, clientRequestId };
  const changes = changesBetween({}, { deviceUuid, label });
  const entry = auditEntry(by, at, "session.signed_in", userId, changes);
  const session = await mongo.transaction({ deadline }, async (transaction) => {
    if (!(await stores.users.noteSignIn(workspaceId, user, at, transaction))) return undefined;
    const saved = await stores.sessions.signIn(workspaceId, started, at, transaction);
    await stores.refreshTokens.insert(workspaceId, newRefreshToken(saved, pair, at), transaction);
    await stores.auditLog.append(workspaceId, [entry], transaction);
    return saved;
  });
  if (session === undefined) return undefined;
  await credentialVersions.raise(session.id, session.rev);
  return { tokens: withExpiry(session, pair, at), session, user };
}
