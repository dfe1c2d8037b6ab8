import type { ClientSession } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { type Change, forbidden, unauthenticated } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { MailText } from "../../domain/account-mail.ts";
import type { AuditAction } from "../../domain/audit-entry.ts";
import { type Factor, isSecondFactor } from "../../domain/session.ts";
import type { User } from "../../domain/user.ts";
import { auditEntry } from "../audit-entry.ts";
import { queueNotice } from "../mails/queue-notice.ts";
import { requireRecent } from "../sessions/require-recent.ts";
import { type Factors, factorsOf, hasFactor } from "./factors-of.ts";

/** A change of the caller's factors, in its transaction. */
export type FactorChange = { user: User; before: Factors; at: Date; transaction: ClientSession };

export type Changed<T> = {
  result: T;
  entry: { action: AuditAction; changes?: Change[] };
  notice: MailText;
  /** The factor that was set up, which the session has proved so. */
  proved?: Factor;
};

/** The caller, who must be a user with a recent sign-in. */
export async function recentUser(context: Context, call: Call) {
  const { principal } = call;
  if (principal.kind !== "user") throw forbidden("Only users have second factors.");
  await requireRecent(context, call);
  return principal;
}

/**
 * Changes the caller's factors. The user's other sessions and open challenges end. The own session counts as one with
 * a second factor as soon as one is set up, and no longer when the last one was removed.
 */
export async function changeFactors<T extends object>(
  context: Context,
  call: Call,
  change: (change: FactorChange) => Promise<Changed<T>>,
): Promise<T> {
  const { mongo, stores, credentialVersions, now } = context;
  const { workspaceId, id, sessionId } = await recentUser(context, call);
  const { result, userRev, sessionRev } = await mongo.transaction(call, async (transaction) => {
    const at = now();
    const before = await stores.users.get(workspaceId, id, transaction);
    const session = await stores.sessions.get(workspaceId, sessionId, transaction);
    if (before === undefined || session === undefined) throw unauthenticated();
    const changed = await change({
      user: before,
      before: await factorsOf(context, before, transaction),
      at,
      transaction,
    });
    const hasMfa = hasFactor(await factorsOf(context, before, transaction));
    const user = { ...before, hasMfa, rev: before.rev + 1, updatedAt: at };
    await stores.users.save(workspaceId, user, before.rev, transaction);
    await stores.sessions.revokeAll(
      workspaceId,
      { userId: id, except: sessionId },
      "factors",
      at,
      transaction,
    );
    const { factors = [] } = session;
    const kept = hasMfa ? factors : factors.filter((one) => !isSecondFactor(one) || one === "provider_mfa");
    const next =
      changed.proved === undefined || kept.includes(changed.proved) ? kept : [...kept, changed.proved];
    await stores.sessions.setFactors(workspaceId, sessionId, next, transaction);
    const { action, changes } = changed.entry;
    await stores.auditLog.append(workspaceId, [auditEntry(call, at, action, id, changes)], transaction);
    await queueNotice(context, before, changed.notice, transaction);
    return { ...changed.result, result: changed.result, userRev: user.rev, sessionRev: session.rev + 1 };
  });
  await credentialVersions.raise(id, userRev);
  await credentialVersions.raise(sessionId, sessionRev);
  return result;
}
