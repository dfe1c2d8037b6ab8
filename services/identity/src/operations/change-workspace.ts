import { conflict, notFound, precondition } from "@asset-register/runtime";
import type { Caller, Identity } from "../context.ts";
import { changeWorkspace as change, type Workspace, type WorkspaceChange } from "../domain/workspace.ts";
import { workspaceChanged } from "../events/published.ts";

export type ChangeWorkspace = WorkspaceChange & { ifRev?: number | undefined };

/** Changes settings, plan or status, and says so on the `workspace` topic. */
export async function changeWorkspace(
  identity: Identity,
  { ifRev, ...wanted }: ChangeWorkspace,
  caller: Caller,
): Promise<Workspace> {
  const { mongo, workspaces, outbox, versions, clock } = identity;
  const { workspaceId } = caller;
  const after = await mongo.transaction(caller, async (session) => {
    const before = await workspaces.find(workspaceId, session);
    if (before === undefined) throw notFound();
    if (ifRev !== undefined && ifRev !== before.rev) throw precondition();
    const workspace = change(before, wanted, clock());
    if (workspace === before) return workspace;
    if (!(await workspaces.replace(workspaceId, workspace, before.rev, session))) {
      throw conflict("CONFLICT", "The workspace was changed at the same time");
    }
    await outbox.add(session, workspaceChanged(before, workspace));
    return workspace;
  });
  await versions.raise(workspaceId, after.rev);
  return after;
}
