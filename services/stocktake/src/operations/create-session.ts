import type { Call } from "@asset-register/rpc";
import { newId, unknownReferences } from "@asset-register/runtime";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../context.ts";
import type { NewSession, Session } from "../domain/session.ts";

/** Creates a draft. @throws AppError NOT_FOUND on scope_id */
export async function createSession(context: Context, input: NewSession, call: Call): Promise<Session> {
  const { clients, mongo, stores, now } = context;
  const { workspaceId } = call;
  const { scopeType, scopeId } = input;
  await requireWorkspace(context, workspaceId);
  if (scopeType !== "all" && !(await clients.hasScope(scopeType, scopeId ?? "", call)))
    throw unknownReferences(["scope_id"]);
  const session: Session = {
    ...input,
    id: newId("sts"),
    workspaceId,
    status: "draft",
    expected: 0,
    excluded: 0,
    tagsScanned: 0,
    unexpectedInPlace: 0,
    unresolved: 0,
    scans: 0,
    scanSeq: 0,
    stamped: { done: 0, total: 0 },
    progress: { done: 0, total: 0 },
    createdAt: now(),
    createdBy: call.actor,
    eventCount: 0,
    rev: 1,
  };
  return mongo.transaction(call, async (transaction) => {
    await stores.sessions.insert(workspaceId, session, transaction);
    return session;
  });
}
