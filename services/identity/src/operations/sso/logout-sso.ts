import { AppError, invalid, unavailable } from "@asset-register/runtime";
import type { SignInCall } from "../../context.ts";
import { isUsable } from "../../domain/sso/connection.ts";
import { sha256 } from "../../domain/token.ts";
import { readLogoutToken } from "../../providers/logout-token.ts";
import { ProviderAnswerError, reasonOfProvider } from "../../providers/provider-error.ts";
import { findProvider } from "../../providers/sso.ts";
import { auditEntry } from "../audit-entry.ts";
import { admitAddress } from "../sessions/admit-address.ts";
import { endSsoSessions } from "./end-sso-sessions.ts";
import type { SsoContext } from "./sso-context.ts";

export type LogoutSso = { connectionId: string; logoutToken: string; clientAddress?: string | undefined };

/** The provider ends sessions: that of `sid`, or all of `sub`. A token is used once. */
export async function logoutSso(context: SsoContext, input: LogoutSso, call: SignInCall): Promise<void> {
  const { stores, sso, now, mongo, credentialVersions, logger } = context;
  const { connectionId, logoutToken, clientAddress } = input;
  await admitAddress(context, "provider_logout", clientAddress);
  const connection = await stores.ssoConnections.find(connectionId);
  if (!isUsable(connection)) throw refused();
  const { workspaceId } = connection;
  const token = await findProvider(sso, connection)
    .then((provider) => readLogoutToken(provider, connection, logoutToken, now()))
    .catch((error) => {
      logger.warn(
        { connection_id: connectionId, reason: reasonOfProvider(error) },
        "a logout token was refused",
      );
      if (error instanceof ProviderAnswerError) throw refused();
      throw error instanceof AppError ? error : unavailable("The provider can't be reached.", 10_000, error);
    });
  const once = sha256(`sso logout ${connectionId} ${token.id}`);
  if (!(await stores.signInLimits.isFirst(once, token.endsAt, now()))) throw refused();
  const signedIn = await stores.ssoSessions.listAtProvider(workspaceId, connectionId, token);
  const by = {
    workspaceId,
    actor: { kind: "service", id: "single-sign-on" } as const,
    ...call,
    clientAddress,
  };
  const ended = await mongo.transaction({ deadline: call.deadline }, async (transaction) => {
    const at = now();
    const done = await endSsoSessions(context, workspaceId, signedIn, at, transaction);
    const entries = done.map(({ userId }) =>
      auditEntry(by, at, "session.ended_by_provider", userId, [{ field: "reason", after: "logout" }]),
    );
    await stores.auditLog.append(workspaceId, entries, transaction);
    return done;
  });
  for (const { id, rev } of ended) await credentialVersions.raise(id, rev);
}

const refused = () => invalid([{ field: "logout_token", message: "is not valid" }]);
