import type { ClientSession } from "@asset-register/mongo";
import type { Session } from "../../domain/session.ts";
import { type SsoCode, ssoTimes } from "../../domain/sso/identity.ts";
import { openProviderToken, sealProviderToken } from "./provider-token.ts";
import type { SsoContext } from "./sso-context.ts";

/** The fields of a session that come from its sign-in with a provider. */
export function sessionOfCode(context: SsoContext, code: SsoCode) {
  const { stores } = context;
  return {
    authenticatedAt: code.authenticatedAt ?? ("unknown" as const),
    // Without a refresh token nobody can ask the provider whether the person has left.
    lifetimeMs: code.refreshToken === undefined ? ssoTimes.withoutRefresh : undefined,
    /** Uses the code up, and saves what the provider is asked with. Returns false when it was used meanwhile. */
    async use(transaction: ClientSession, at: Date, session: Session): Promise<boolean> {
      if (!(await stores.ssoCodes.remove(code.workspaceId, code.id, transaction))) return false;
      await stores.ssoSessions.put(code.workspaceId, ssoSessionOf(context, code, session, at), transaction);
      return true;
    },
  };
}

function ssoSessionOf({ sso }: SsoContext, code: SsoCode, { id, family, expiresAt }: Session, at: Date) {
  const { workspaceId, userId, connectionId, subject, providerSession, refreshToken } = code;
  const token =
    refreshToken && openProviderToken(sso.keyring, { collection: "sso_codes", id: code.id }, refreshToken);
  return {
    ...{ id, workspaceId, userId, connectionId, family, subject, providerSession, expiresAt },
    refreshToken:
      token === undefined
        ? undefined
        : sealProviderToken(sso.keyring, { collection: "sso_sessions", id }, token),
    ...{ signedInAt: at, checkedAt: at },
  };
}
