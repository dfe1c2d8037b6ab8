import { unauthenticated } from "@asset-register/runtime";
import type { Identity } from "../context.ts";
import { type ApiKey, endOfText } from "../domain/api-key.ts";
import { isLive, type Session } from "../domain/session.ts";
import type { User } from "../domain/user.ts";
import { requireApiAccess, type Workspace } from "../domain/workspace.ts";

/** The SHA-256, in hex, of what a request carried. */
export type Credential = { accessTokenHash: string } | { apiKeyHash: string };

export type Verified =
  | { kind: "user"; workspace: Workspace; user: User; session: Session; expiresAt: Date }
  | { kind: "api_key"; workspace: Workspace; key: ApiKey; expiresAt: Date | undefined };

/** "Last used" and "last seen" are written at most this often. */
const NOTE_EVERY_MS = 60_000;

/** Whom a credential stands for. It is the same 401, whatever is wrong with it. */
export async function verifyCredential(identity: Identity, credential: Credential): Promise<Verified> {
  return "apiKeyHash" in credential
    ? verifyApiKey(identity, credential.apiKeyHash)
    : verifyAccessToken(identity, credential.accessTokenHash);
}

async function verifyAccessToken(identity: Identity, hash: string): Promise<Verified> {
  const { credentials, workspaces, users, sessions, clock } = identity;
  const now = clock();
  const session = await credentials.sessionOf(hash);
  const token = session?.accessTokens.find((one) => one.hash === hash);
  if (!session || !token || !isLive(session, now) || token.expiresAt <= now) throw unauthenticated();
  const { workspaceId, userId } = session;
  const [workspace, user] = await Promise.all([
    workspaces.find(workspaceId),
    users.find(workspaceId, userId),
  ]);
  if (workspace?.status !== "active" || user?.status !== "active") throw unauthenticated();
  const before = new Date(now.getTime() - NOTE_EVERY_MS);
  if (session.lastSeenAt < before) {
    await note(identity, () => sessions.seen(workspaceId, session.id, now, before));
  }
  return { kind: "user", workspace, user, session, expiresAt: token.expiresAt };
}

async function verifyApiKey(identity: Identity, hash: string): Promise<Verified> {
  const { credentials, workspaces, apiKeys, clock } = identity;
  const now = clock();
  const key = await credentials.apiKey(hash);
  const expiresAt = key && endOfText(key, hash, now);
  if (!key || (expiresAt && expiresAt <= now)) throw unauthenticated();
  const workspace = await workspaces.find(key.workspaceId);
  if (workspace?.status !== "active") throw unauthenticated();
  requireApiAccess(workspace);
  const before = new Date(now.getTime() - NOTE_EVERY_MS);
  if (key.lastUsedAt === undefined || key.lastUsedAt < before) {
    await note(identity, () => apiKeys.used(key.workspaceId, key.id, now, before));
  }
  return { kind: "api_key", workspace, key, expiresAt };
}

// A note that can't be written must not turn a valid credential away.
async function note({ logger }: Identity, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    logger.warn({ error }, "the use of a credential could not be noted");
  }
}
