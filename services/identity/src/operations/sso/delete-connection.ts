import type { Call } from "@asset-register/rpc";
import { changedMeanwhile, changesBetween, requireFound, requireRev } from "@asset-register/runtime";
import { auditedFields } from "../../providers/sso.ts";
import { auditEntry } from "../audit-entry.ts";
import { requireRecent } from "../sessions/require-recent.ts";
import { endSsoSessions } from "./end-sso-sessions.ts";
import type { SsoContext } from "./sso-context.ts";

/**
 * Removes the connection, and ends the sessions that were signed in with it except the caller's: nobody can ask the
 * provider any more whether a person has left. Identities stay, for a new connection to the same provider.
 */
export async function deleteConnection(
  context: SsoContext,
  { ifRevIn }: { ifRevIn: readonly number[] },
  call: Call,
): Promise<void> {
  const { mongo, stores, credentialVersions, now } = context;
  const { workspaceId, principal } = call;
  await requireRecent(context, call);
  const ended = await mongo.transaction(call, async (session) => {
    const at = now();
    const connection = requireFound(
      await stores.ssoConnections.get(workspaceId, session),
      "single sign-on connection",
    );
    requireRev(connection.rev, ifRevIn);
    const { id, rev } = connection;
    if (!(await stores.ssoConnections.remove(workspaceId, id, rev, session)))
      throw changedMeanwhile("single sign-on connection");
    const changes = changesBetween(auditedFields(connection), {});
    await stores.auditLog.append(workspaceId, [auditEntry(call, at, "sso.deleted", id, changes)], session);
    const own = principal.kind === "user" ? principal.sessionId : "";
    const signedIn = await stores.ssoSessions.listOfConnection(workspaceId, id, session);
    return endSsoSessions(
      context,
      workspaceId,
      signedIn.filter((one) => one.id !== own),
      at,
      session,
    );
  });
  for (const { id, rev } of ended) await credentialVersions.raise(id, rev);
}
