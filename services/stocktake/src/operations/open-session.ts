import { keepAnswer } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { AppError, requireFound, requireRev } from "@asset-register/runtime";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../context.ts";
import { assertCanOpen, type Session } from "../domain/session.ts";
import { statusAudit } from "../published.ts";

export type SessionInput = { id: string; ifRevIn: readonly number[] };

/** Freezes what is expected. A large session is still opening when this returns. */
export async function openSession(context: Context, input: SessionInput, call: Call): Promise<Session> {
  const { clients, counting, mongo, outbox, stores, now } = context;
  const { workspaceId } = call;
  const { id, ifRevIn } = input;
  await requireWorkspace(context, workspaceId);
  const draft = requireFound(await stores.sessions.get(workspaceId, id), "session");
  requireRev(draft.rev, ifRevIn);
  assertCanOpen(draft);
  const total = await clients.countScope(draft, call);
  if (total === 0) throw emptyScope();
  await mongo.transaction(call, async (transaction) => {
    const before = requireFound(await stores.sessions.get(workspaceId, id, transaction), "session");
    requireRev(before.rev, ifRevIn);
    assertCanOpen(before);
    const openedAt = now();
    const beginning = { expected: 0, openedTo: undefined, progress: { done: 0, total }, error: undefined };
    const change = { status: "opening" as const, openedAt, ...beginning };
    const after = await stores.sessions.change(workspaceId, before, change, { transaction });
    await outbox.add(transaction, statusAudit(call, openedAt, "stocktake.opened", { before, after }));
    return after;
  });
  const answer = stores.sessions.toRecord(await counting.finishQuickly({ _id: id, workspaceId }));
  await keepAnswer(mongo, call, answer);
  return answer;
}

export function emptyScope(): AppError {
  const message = "The scope has no assets to count.";
  return new AppError({
    ...{ kind: "invalid", code: "STOCKTAKE_SCOPE_EMPTY", message },
    violations: [{ field: "scope_id", message }],
  });
}
