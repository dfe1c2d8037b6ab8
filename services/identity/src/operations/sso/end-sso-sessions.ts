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
  const ended: { id: string; rev: number; userId: string }[] = [];
  for (const { id, family, userId } of signedIn) {
    const session = await stores.sessions.get(workspaceId, id, transaction);
    if (session?.family !== family) continue;
    const rev = await stores.sessions.revoke(workspaceId, id, "provider", at, transaction);
    if (rev !== undefined) ended.push({ id, rev, userId });
  }
  await stores.ssoSessions.remove(
    workspaceId,
    signedIn.map(({ id }) => id),
    transaction,
  );
  return ended;
}
