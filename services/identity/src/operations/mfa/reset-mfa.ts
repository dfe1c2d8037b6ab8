import { requireFound, requireRev } from "@asset-register/runtime";
import type { Caller, Context } from "../../context.ts";
import { factorsReset } from "../../domain/notices.ts";
import type { User } from "../../domain/user.ts";
import { auditEntry } from "../audit-entry.ts";
import { queueNotice } from "../mails/queue-notice.ts";
import { requireRecent } from "../sessions/require-recent.ts";

export type ResetMfa = { id: string; ifRevIn: readonly number[] };

/** Removes all second factors of a user who has lost them, and ends the user's sessions. */
export async function resetMfa(context: Context, { id, ifRevIn }: ResetMfa, call: Caller): Promise<User> {
  await requireRecent(context, call);
  const { mongo, stores, credentialVersions, now } = context;
  const { workspaceId } = call;
  const after = await mongo.transaction(call, async (transaction) => {
    const at = now();
    const before = requireFound(await stores.users.get(workspaceId, id, transaction), "user");
    requireRev(before.rev, ifRevIn);
    if (before.hasMfa !== true) return before;
    const user = { ...before, hasMfa: false, rev: before.rev + 1, updatedAt: at };
    await stores.users.save(workspaceId, user, before.rev, transaction);
    await stores.secondFactors.remove(workspaceId, id, transaction);
    await stores.passkeys.removeAll(workspaceId, id, transaction);
    await stores.sessions.revokeAll(workspaceId, { userId: id }, "factors", at, transaction);
    await stores.auditLog.append(workspaceId, [auditEntry(call, at, "user.factors_reset", id)], transaction);
    await queueNotice(context, before, factorsReset(before.name), transaction);
    return user;
  });
  await credentialVersions.raise(id, after.rev);
  return after;
}
