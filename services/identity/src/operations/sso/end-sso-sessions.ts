import type { ClientSession } from "@asset-register/mongo";
import type { Context } from "../../context.ts";
import type { SsoSession } from "../../domain/sso/identity.ts";

/**
 * Ends sessions that were signed in with a provider. A session whose device has signed in again in another way goes on.
 * Returns the new revs, for the gateways.
 */
export async function endSsoSessions(
  { stores }: Pick<Context, "stores">,
  workspaceId: string,
  signedIn: readonly SsoSession[],
  at: Date,
  transaction: ClientSession,
): Promise<{ id: string; rev: number; userId: string }[]> {
  const ended = await stores.sessions.revokeSignIns(workspaceId, signedIn, "provider", at, transaction);
  await stores.ssoSessions.remove(
    workspaceId,
    signedIn.map(({ id }) => id),
    transaction,
  );
  return ended;
}
