import { randomBytes } from "node:crypto";
import { invalid, unauthenticated } from "@asset-register/runtime";
import type { ClientSession } from "mongoose";
import type { Identity, SignInCall } from "../context.ts";
import { act } from "../domain/audit.ts";
import { isUuid } from "../domain/device.ts";
import { decideRefresh } from "../domain/refresh.ts";
import {
  accessTokenOf,
  type RefreshToken,
  refreshTokenOf,
  type Session,
  type SignIn,
  type Tokens,
  tokensOf,
} from "../domain/session.ts";
import { sha256, successorPair, TOKEN_BYTES, type TokenPair, tokenPair } from "../domain/token.ts";
import type { User } from "../domain/user.ts";
import { admitAddress } from "./admit-address.ts";

/** An empty `idempotencyKey` is none. */
export type Refresh = {
  refreshToken: string;
  deviceUuid: string;
  idempotencyKey: string;
  clientAddress: string;
};

/** Tokens, or none and the version of the session that was ended for it. */
type Outcome = { tokens: Tokens; session: Session } | { tokens?: undefined; revoked?: number | undefined };

/** Swaps a refresh token for its successor, once; domain/refresh.ts says what else may happen. */
export async function refresh(identity: Identity, input: Refresh, call: SignInCall): Promise<SignIn> {
  if (!isUuid(input.deviceUuid)) throw invalid([{ field: "device_uuid", message: "must be a UUID" }]);
  // A session whose token was stolen ends at every gateway at once.
  await identity.versions.requireReachable();
  await admitAddress(identity, "refresh", input.clientAddress);
  const token = await identity.credentials.refreshToken(sha256(input.refreshToken));
  const user = token && (await activeUser(identity, token));
  if (token === undefined || user === undefined) throw refused();

  // Refusals are answers of the transaction, not errors in it: an ended session has to be committed.
  const outcome = await identity.mongo.transaction({ deadline: call.deadline }, (transaction) =>
    swap(identity, token.workspaceId, input, call.requestId, transaction),
  );
  if (outcome.tokens !== undefined) return { ...outcome, user };
  if (outcome.revoked !== undefined) await identity.versions.raise(token.sessionId, outcome.revoked);
  throw refused();
}

async function activeUser(
  { sessions, users, workspaces }: Identity,
  { workspaceId, sessionId }: RefreshToken,
): Promise<User | undefined> {
  const session = await sessions.find(workspaceId, sessionId);
  if (session === undefined) return undefined;
  const [workspace, user] = await Promise.all([
    workspaces.find(workspaceId),
    users.find(workspaceId, session.userId),
  ]);
  return workspace?.status === "active" && user?.status === "active" ? user : undefined;
}

/** Who holds a token that was given to another is not known. */
const UNKNOWN = { kind: "service", id: "anonymous" } as const;

const refused = () => unauthenticated("The refresh token is not valid");

async function swap(
  identity: Identity,
  workspaceId: string,
  { refreshToken, deviceUuid, idempotencyKey }: Refresh,
  requestId: string,
  transaction: ClientSession,
): Promise<Outcome> {
  const { refreshTokens, sessions, audit, pepper, clock } = identity;
  const now = clock();
  const token = await refreshTokens.find(workspaceId, sha256(refreshToken), transaction);
  if (token === undefined) return {};
  const session = await sessions.find(workspaceId, token.sessionId, transaction);
  const derived = idempotencyKey === "" ? undefined : successorPair(pepper, refreshToken, idempotencyKey);
  const successor =
    token.successorHash === undefined
      ? undefined
      : await refreshTokens.find(workspaceId, token.successorHash, transaction);
  const decision = decideRefresh({
    token,
    session,
    deviceUuid: deviceUuid.toLowerCase(),
    candidateHash: derived && sha256(derived.refresh),
    successorSpent: successor?.spentAt !== undefined,
    now,
  });
  if (session === undefined || decision.do === "refuse") return {};
  if (decision.do === "revoke") {
    const changes = [
      { field: "device_uuid", before: session.deviceUuid },
      { field: "reason", after: decision.reason },
    ];
    const theft = act({ actor: UNKNOWN, requestId }, now, "session.token_reused", session.userId, changes);
    await audit.add(workspaceId, theft, transaction);
    return { revoked: await sessions.revoke(workspaceId, session.id, decision.reason, now, transaction) };
  }
  if (decision.do === "replay" && derived !== undefined) {
    return { session, tokens: tokensOf(session, derived, decision.spentAt) };
  }
  const pair: TokenPair = derived ?? tokenPair(randomBytes(TOKEN_BYTES), randomBytes(TOKEN_BYTES));
  const next = refreshTokenOf(session, pair, now);
  // Lost to a parallel refresh: the same refusal as reading it spent.
  if (!(await refreshTokens.spend(workspaceId, token.hash, next.hash, now, transaction))) return {};
  await refreshTokens.insert(workspaceId, next, transaction);
  await sessions.addAccessToken(workspaceId, session.id, accessTokenOf(session, pair, now), now, transaction);
  return { session, tokens: tokensOf(session, pair, now) };
}
