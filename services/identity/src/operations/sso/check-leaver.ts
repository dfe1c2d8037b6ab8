import { unavailable } from "@asset-register/runtime";
import { ResponseBodyError, refreshTokenGrant } from "openid-client";
import type { Context, SignInCall } from "../../context.ts";
import type { Session } from "../../domain/session.ts";
import { isUsable } from "../../domain/sso/connection.ts";
import { type SsoSession, ssoTimes } from "../../domain/sso/identity.ts";
import { reasonOfProvider } from "../../providers/provider-error.ts";
import { findProvider } from "../../providers/sso.ts";
import { auditEntry } from "../audit-entry.ts";
import { endSsoSessions } from "./end-sso-sessions.ts";
import { openProviderToken, sealProviderToken } from "./provider-token.ts";
import type { SsoContext } from "./sso-context.ts";

/** Longer than the question to the provider can take: discovery, the question, keys. */
const RESERVED_MS = 30_000;

/**
 * Asks the provider, before a refresh of a session that was signed in with it, whether the person is still there: at most
 * every 8 h. Returns false when the session has ended. A provider that can't be reached is asked again at the next
 * refresh; sessions go on without its answer for 24 h.
 * @throws AppError UNAVAILABLE after that
 */
export async function checkLeaver(context: Context, session: Session, call: SignInCall): Promise<boolean> {
  const { stores, sso, now } = context;
  if (sso === undefined || !session.factors?.includes("sso")) return true;
  const { workspaceId, id } = session;
  const signedIn = await stores.ssoSessions.get(workspaceId, id);
  // Without a refresh token the session is short: see exchangeSso.
  if (signedIn?.family !== session.family || signedIn.refreshToken === undefined) return true;
  const at = now();
  const { checkedAt } = signedIn;
  const age = at.getTime() - checkedAt.getTime();
  if (age <= ssoTimes.check) return true;
  const until = new Date(at.getTime() + RESERVED_MS);
  // A concurrent refresh asks: a provider may end a refresh token that is used twice.
  const asks = await stores.ssoSessions.reserveCheck(workspaceId, id, checkedAt, at, until);
  const answer = asks ? await askProvider({ ...context, sso }, signedIn) : "unknown";
  if (answer === "gone") {
    await endSession(context, signedIn, call);
    return false;
  }
  if (answer === "unknown" && age > ssoTimes.unreachable)
    throw unavailable(
      "Your company's sign-in can't be reached to confirm your session. Retry later.",
      30_000,
    );
  return true;
}

async function askProvider(context: SsoContext, signedIn: SsoSession): Promise<"there" | "gone" | "unknown"> {
  const { stores, sso, now, logger } = context;
  const { workspaceId, id, connectionId, checkedAt, refreshToken } = signedIn;
  const connection = await stores.ssoConnections.get(workspaceId);
  if (!isUsable(connection) || connection.id !== connectionId || refreshToken === undefined) return "gone";
  const of = { collection: "sso_sessions", id } as const;
  try {
    const { config } = await findProvider(sso, connection);
    const token = openProviderToken(sso.keyring, of, refreshToken);
    const answer = await refreshTokenGrant(config, token);
    const subject = answer.claims()?.sub;
    if (subject !== undefined && subject !== signedIn.subject) return "gone";
    const next = sealProviderToken(sso.keyring, of, answer.refresh_token ?? token);
    await stores.ssoSessions.saveCheck(workspaceId, id, checkedAt, { now: now(), refreshToken: next });
    return "there";
  } catch (error) {
    if (error instanceof ResponseBodyError && error.error === "invalid_grant") return "gone";
    logger.warn(
      { connection_id: connectionId, session_id: id, reason: reasonOfProvider(error) },
      "a provider did not confirm a session",
    );
    await stores.ssoSessions.freeCheck(workspaceId, id, checkedAt);
    return "unknown";
  }
}

async function endSession(
  context: Context,
  signedIn: SsoSession,
  { deadline, ...call }: SignInCall,
): Promise<void> {
  const { mongo, stores, credentialVersions, now } = context;
  const { workspaceId, userId } = signedIn;
  const by = { workspaceId, actor: { kind: "service", id: "single-sign-on" } as const, ...call };
  const ended = await mongo.transaction({ deadline }, async (transaction) => {
    const at = now();
    const done = await endSsoSessions(context, workspaceId, [signedIn], at, transaction);
    const changes = [{ field: "reason", after: "left" }];
    const entries = done.map(() => auditEntry(by, at, "session.ended_by_provider", userId, changes));
    await stores.auditLog.append(workspaceId, entries, transaction);
    return done;
  });
  for (const { id, rev } of ended) await credentialVersions.raise(id, rev);
}
