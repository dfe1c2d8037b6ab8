import { definedOnly } from "@asset-register/mongo";
import { changesBetween, changesTo, requireFound, requireRev } from "@asset-register/runtime";
import type { Caller, Context } from "../../context.ts";
import type { AuditEntry } from "../../domain/audit-entry.ts";
import { changeWorkspace, type Workspace, type WorkspaceChange } from "../../domain/workspace.ts";
import { workspaceUpdated } from "../../published.ts";
import { auditEntry } from "../audit-entry.ts";

export type UpdateWorkspace = WorkspaceChange & { ifRevIn?: readonly number[] };

/** Changes settings, plan or status of the workspace and publishes its new state. */
export async function updateWorkspace(
  { mongo, stores, outbox, credentialVersions, now }: Context,
  { ifRevIn, ...change }: UpdateWorkspace,
  call: Caller,
): Promise<Workspace> {
  const { workspaceId } = call;
  const after = await mongo.transaction(call, async (session) => {
    const before = requireFound(await stores.workspaces.get(workspaceId, session), "workspace");
    requireRev(before.rev, ifRevIn);
    const workspace = changeWorkspace(before, change, now());
    if (workspace === before) return workspace;
    await stores.workspaces.save(workspaceId, workspace, before.rev, session);
    await outbox.add(session, workspaceUpdated(before, workspace));
    await stores.auditLog.append(workspaceId, auditEntries(before, workspace, change, call), session);
    return workspace;
  });
  await credentialVersions.raise(workspaceId, after.rev);
  return after;
}

/** One entry for each kind of change, so that each can be searched for. */
function auditEntries(
  before: Workspace,
  after: Workspace,
  { plan: _plan, status: _status, ...given }: WorkspaceChange,
  by: Caller,
): AuditEntry[] {
  const { id, updatedAt: at } = after;
  const settings = changesTo(before, definedOnly(given));
  const plan = changesBetween({ plan: before.plan }, { plan: after.plan });
  const status = after.status === "disabled" ? "workspace.disabled" : "workspace.enabled";
  return [
    ...(settings.length > 0 ? [auditEntry(by, at, "workspace.settings_changed", id, settings)] : []),
    ...(plan.length > 0 ? [auditEntry(by, at, "workspace.plan_changed", id, plan)] : []),
    ...(before.status === after.status ? [] : [auditEntry(by, at, status, id)]),
  ];
}
