import { unauthenticated } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { type ApiKey, endOfText } from "../../domain/api-key.ts";
import { isLive, type Session } from "../../domain/session.ts";
import type { User } from "../../domain/user.ts";
import { assertApiAccess, type Workspace } from "../../domain/workspace.ts";

/** The SHA-256 of the credential, in hex. */
export type Credential =
  | { accessTokenHash: string }
  | { apiKeyHash: string; clientAddress?: string | undefined };

export type Verified =
  | { kind: "user"; workspace: Workspace; user: User; session: Session; expiresAt: Date }
  | { kind: "api_key"; workspace: Workspace; key: ApiKey; expiresAt: Date | undefined };

/** last_used_at and last_seen_at are written at most this often. */
const NOTE_EVERY_MS = 60_000;

/** The principal of a credential. Every reason of a refusal gives the same 401. */
export async function verifyCredential(context: Context, credential: Credential): Promise<Verified> {
  return "apiKeyHash" in credential
    ? verifyApiKey(context, credential)
    : verifyAccessToken(context, credential.accessTokenHash);
}

async function verifyAccessToken(context: Context, hash: string): Promise<Verified> {
  const { stores, now } = context;
  const at = now();
  const session = await stores.credentials.findSession(hash);
  const token = session?.accessTokens.find((one) => one.hash === hash);
  if (!session || !token || !isLive(session, at) || token.expiresAt <= at) throw unauthenticated();
  const { workspaceId, userId } = session;
  const [workspace, user] = await Promise.all([
    stores.workspaces.get(workspaceId),
    stores.users.get(workspaceId, userId),
  ]);
  if (workspace?.status !== "active" || user?.status !== "active") throw unauthenticated();
  const before = new Date(at.getTime() - NOTE_EVERY_MS);
  if (session.lastSeenAt < before) {
    await note(context, () => stores.sessions.noteUse(workspaceId, session.id, at, before));
  }
  return { kind: "user", workspace, user, session, expiresAt: token.expiresAt };
}

async function verifyApiKey(
  context: Context,
  { apiKeyHash: hash, clientAddress: address }: Extract<Credential, { apiKeyHash: string }>,
): Promise<Verified> {
  const { stores, now } = context;
  const at = now();
  const key = await stores.credentials.findApiKey(hash);
  const expiresAt = key && endOfText(key, hash, at);
  if (!key || (expiresAt && expiresAt <= at)) throw unauthenticated();
  const workspace = await stores.workspaces.get(key.workspaceId);
  if (workspace?.status !== "active") throw unauthenticated();
  assertApiAccess(workspace);
  const before = new Date(at.getTime() - NOTE_EVERY_MS);
  if (key.lastUsedAt === undefined || key.lastUsedAt < before) {
    await note(context, () => stores.apiKeys.noteUse(key.workspaceId, key.id, { at, address }, before));
  }
  return { kind: "api_key", workspace, key, expiresAt };
}

/** A failure to note the use does not make a valid credential fail. */
async function note({ logger }: Context, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    logger.warn({ error }, "the use of a credential could not be noted");
  }
}
