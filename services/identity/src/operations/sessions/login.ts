import { changesBetween, unauthenticated } from "@asset-register/runtime";
import type { Context, SignInCall } from "../../context.ts";
import type { DeviceDescription, SignIn } from "../../domain/session.ts";
import type { User } from "../../domain/user.ts";
import { NO_WORKSPACE } from "../../store/audit-log.ts";
import { ANONYMOUS, auditEntry } from "../audit-entry.ts";
import { type SecondStep, secondStep } from "../mfa/second-step.ts";
import { assertPasswordsAllowed } from "../sso/assert-passwords-allowed.ts";
import { admitAddress } from "./admit-address.ts";
import { countAttempt } from "./count-attempt.ts";
import { startSession } from "./start-session.ts";

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
 * password, a disabled user and a disabled workspace. With a second factor no session starts: the answer is a challenge.
 */
export async function login(context: Context, input: Login, call: SignInCall): Promise<SignIn | SecondStep> {
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
    if (user.hasMfa === true) {
      await assertPasswordsAllowed(context.stores, user);
      return secondStep(context, user, input);
    }
    const signIn = await startSession(context, user, { ...input, factors: ["password"] }, call);
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
