import { randomBytes, randomUUID } from "node:crypto";
import type { ClientSession } from "@asset-register/mongo";
import { changesBetween, newId } from "@asset-register/runtime";
import type { Context, SignInCall } from "../../context.ts";
import {
  type DeviceDescription,
  type Factor,
  lifetimes,
  newAccessToken,
  newRefreshToken,
  type Session,
  type SignIn,
  withExpiry,
} from "../../domain/session.ts";
import { TOKEN_BYTES, tokenPair } from "../../domain/token.ts";
import type { User } from "../../domain/user.ts";
import { auditEntry } from "../audit-entry.ts";
import { assertPasswordsAllowed } from "../sso/assert-passwords-allowed.ts";

export type NewSession = DeviceDescription & {
  /** A new device gets one. */
  deviceUuid?: string | undefined;
  clientAddress?: string | undefined;
  /** The factors that the user has proved. */
  factors: Factor[];
  /** When the user has proved it, if not now. A provider may not report it: then the sign-in is never recent. */
  authenticatedAt?: Date | "unknown" | undefined;
  /** A shorter life than usual. */
  lifetimeMs?: number | undefined;
  /** Saves in the same transaction what a sign-in uses up: a challenge, a code. An error of it prevents the sign-in. */
  alongside?(transaction: ClientSession, at: Date, session: Session): Promise<void>;
};

/**
 * Starts the session of a user on a device: each way to sign in ends here. Returns undefined when the user has changed
 * since `user` was read.
 * @throws AppError SSO_REQUIRED
 */
export async function startSession(
  { mongo, stores, credentialVersions, now }: Context,
  user: User,
  input: NewSession,
  { deadline, requestId, clientRequestId }: SignInCall,
): Promise<SignIn | undefined> {
  const { deviceUuid = randomUUID(), label, platform, appVersion, clientAddress, factors } = input;
  const { workspaceId, id: userId } = user;
  if (!factors.includes("sso")) await assertPasswordsAllowed(stores, user);
  const at = now();
  const pair = tokenPair(randomBytes(TOKEN_BYTES), randomBytes(TOKEN_BYTES));
  const expiresAt = new Date(at.getTime() + (input.lifetimeMs ?? lifetimes.session));
  const started = {
    ...{ id: newId("ses"), workspaceId, userId, deviceUuid, label, platform, appVersion, expiresAt },
    ...{
      factors,
      authenticatedAt: input.authenticatedAt === "unknown" ? undefined : (input.authenticatedAt ?? at),
    },
    family: randomUUID(),
    accessTokens: [newAccessToken({ expiresAt }, pair, at)],
  };
  const actor = { kind: "user", id: userId } as const;
  const by = { workspaceId, actor, requestId, clientAddress, clientRequestId };
  const changes = changesBetween({}, { deviceUuid, label, factors });
  const entry = auditEntry(by, at, "session.signed_in", userId, changes);
  const session = await mongo.transaction({ deadline }, async (transaction) => {
    if (!(await stores.users.noteSignIn(workspaceId, user, at, transaction))) return undefined;
    const saved = await stores.sessions.signIn(workspaceId, started, at, transaction);
    await input.alongside?.(transaction, at, saved);
    await stores.refreshTokens.insert(workspaceId, newRefreshToken(saved, pair, at), transaction);
    await stores.auditLog.append(workspaceId, [entry], transaction);
    return saved;
  });
  if (session === undefined) return undefined;
  await credentialVersions.raise(session.id, session.rev);
  return { tokens: withExpiry(session, pair, at), session, user };
}
