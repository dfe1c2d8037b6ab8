import { randomBytes } from "node:crypto";
import type { ClientSession } from "@asset-register/mongo";
import { unauthenticated } from "@asset-register/runtime";
import type { Context, SignInCall } from "../../context.ts";
import { decideRefresh } from "../../domain/refresh.ts";
import {
  isLive,
  newAccessToken,
  newRefreshToken,
  type RefreshToken,
  type Session,
  type SignIn,
  type Tokens,
  withExpiry,
} from "../../domain/session.ts";
import { sha256, successorPair, TOKEN_BYTES, tokenPair } from "../../domain/token.ts";
import type { User } from "../../domain/user.ts";
import { ANONYMOUS, auditEntry } from "../audit-entry.ts";
import { requiresSso } from "../sso/assert-passwords-allowed.ts";
import { checkLeaver } from "../sso/check-leaver.ts";
import { admitAddress } from "./admit-address.ts";

export type Refresh = {
  refreshToken: string;
  deviceUuid: string;
  idempotencyKey?: string | undefined;
  clientAddress?: string | undefined;
  /** The user to whom the token must belong. */
  userId?: string | undefined;
};

/** New tokens, or no tokens and the rev of the session if it was ended. */
type Outcome = { tokens: Tokens; session: Session } | { tokens?: undefined; revoked?: number | undefined };

/** Swaps a refresh token for its successor, once. See decideRefresh for all cases. */
export async function refresh(context: Context, input: Refresh, call: SignInCall): Promise<SignIn> {
  const { mongo, stores, credentialVersions } = context;
  // A session whose token was stolen ends at every gateway at once.
  await credentialVersions.requireReachable();
  await admitAddress(context, "refresh", input.clientAddress);
  const token = await stores.credentials.findRefreshToken(sha256(input.refreshToken));
  const found = token && (await findActiveUser(context, token));
  if (token === undefined || found === undefined) throw refused();
  const { user, session } = found;
  if (input.userId !== undefined && input.userId !== user.id) throw refused();
  // An admin of the time when single sign-on became required may be none now.
  if (!session.factors?.includes("sso") && (await requiresSso(stores, user))) throw refused();
  // Only for a token that can be swapped: a stolen one must not make us ask the provider.
  const isSwap =
    token.spentAt === undefined &&
    isLive(session, context.now()) &&
    session.family === token.family &&
    session.deviceUuid === input.deviceUuid;
  if (isSwap && !(await checkLeaver(context, session, call))) throw refused();

  // A refusal is a result of the transaction and not an error in it: the end of a session has to be committed.
  const outcome = await mongo.transaction({ deadline: call.deadline }, (transaction) =>
    swap(context, token.workspaceId, input, call, transaction),
  );
  if (outcome.tokens !== undefined) return { ...outcome, user };
  if (outcome.revoked !== undefined) await credentialVersions.raise(token.sessionId, outcome.revoked);
  throw refused();
}

const refused = () => unauthenticated("The refresh token is not valid.");

async function findActiveUser(
  { stores }: Context,
  { workspaceId, sessionId }: RefreshToken,
): Promise<{ user: User; session: Session } | undefined> {
  const session = await stores.sessions.get(workspaceId, sessionId);
  if (session === undefined) return undefined;
  const [workspace, user] = await Promise.all([
    stores.workspaces.get(workspaceId),
    stores.users.get(workspaceId, session.userId),
  ]);
  return workspace?.status === "active" && user?.status === "active" ? { user, session } : undefined;
}

async function swap(
  { stores, pepper, now }: Context,
  workspaceId: string,
  { refreshToken, deviceUuid, idempotencyKey, clientAddress }: Refresh,
  { requestId, clientRequestId }: SignInCall,
  transaction: ClientSession,
): Promise<Outcome> {
  const { refreshTokens, sessions, auditLog } = stores;
  const at = now();
  const token = await refreshTokens.get(workspaceId, sha256(refreshToken), transaction);
  if (token === undefined) return {};
  const session = await sessions.get(workspaceId, token.sessionId, transaction);
  const successor = token.successorId
    ? await refreshTokens.get(workspaceId, token.successorId, transaction)
    : undefined;
  const derived = idempotencyKey ? successorPair(pepper, refreshToken, idempotencyKey) : undefined;
  const decision = decideRefresh({
    token,
    session,
    deviceUuid,
    candidateId: derived && sha256(derived.refreshToken),
    successorSpent: successor?.spentAt !== undefined,
    now: at,
  });
  if (session === undefined || decision.do === "refuse") return {};
  if (decision.do === "revoke") {
    const by = { workspaceId, actor: ANONYMOUS, requestId, clientAddress, clientRequestId };
    const theft = auditEntry(by, at, "session.token_reused", session.userId, [
      { field: "device_uuid", before: session.deviceUuid },
      { field: "reason", after: decision.reason },
    ]);
    await auditLog.append(workspaceId, [theft], transaction);
    return { revoked: await sessions.revoke(workspaceId, session.id, decision.reason, at, transaction) };
  }
  if (decision.do === "replay" && derived !== undefined) {
    return { session, tokens: withExpiry(session, derived, decision.spentAt) };
  }
  const pair = derived ?? tokenPair(randomBytes(TOKEN_BYTES), randomBytes(TOKEN_BYTES));
  const next = newRefreshToken(session, pair, at);
  // The token was spent by a concurrent refresh: the same refusal as for a spent token.
  if (!(await refreshTokens.spend(workspaceId, token.id, next.id, at, transaction))) return {};
  await refreshTokens.insert(workspaceId, next, transaction);
  await sessions.addAccessToken(workspaceId, session.id, newAccessToken(session, pair, at), at, transaction);
  return { session, tokens: withExpiry(session, pair, at) };
}
