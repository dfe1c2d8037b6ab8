import { changesBetween, conflict, notFound, requireRev } from "@asset-register/runtime";
import type { Caller, Identity } from "../context.ts";
import { type Act, act } from "../domain/audit.ts";
import { changeWorkspace as change, type Workspace, type WorkspaceChange } from "../domain/workspace.ts";
import { workspaceChanged } from "../published.ts";

export type ChangeWorkspace = WorkspaceChange & { ifRevIn?: readonly number[] };

/** Changes settings, plan or status, and says so on the `workspace` topic. */
export async function changeWorkspace(
  identity: Identity,
  { ifRevIn, ...wanted }: ChangeWorkspace,
  caller: Caller,
): Promise<Workspace> {
  const { mongo, workspaces, outbox, versions, audit, clock } = identity;
  const { workspaceId } = caller;
  const after = await mongo.transaction(caller, async (session) => {
    const before = await workspaces.find(workspaceId, session);
    if (before === undefined) throw notFound();
    requireRev(before.rev, ifRevIn);
    const workspace = change(before, wanted, clock());
    if (workspace === before) return workspace;
    if (!(await workspaces.replace(workspaceId, workspace, before.rev, session))) {
      throw conflict("CONFLICT", "The workspace was changed at the same time");
    }
    await outbox.add(session, workspaceChanged(before, workspace));
    for (const done of acts(before, workspace, caller)) await audit.add(workspaceId, done, session);
    return workspace;
  });
  await versions.raise(workspaceId, after.rev);
  return after;
}

/** One change may be several acts, for those who look for one kind of them. */
function acts(before: Workspace, after: Workspace, by: Pick<Caller, "actor" | "requestId">): Act[] {
  const { id, updatedAt: at } = after;
  const settings = changesBetween(settingsOf(before), settingsOf(after));
  const plan = changesBetween({ plan: before.plan }, { plan: after.plan });
  const status = after.status === "disabled" ? "workspace.disabled" : "workspace.enabled";
  return [
    ...(settings.length > 0 ? [act(by, at, "workspace.settings_changed", id, settings)] : []),
    ...(plan.length > 0 ? [act(by, at, "workspace.plan_changed", id, plan)] : []),
    ...(before.status === after.status ? [] : [act(by, at, status, id)]),
  ];
}

const settingsOf = ({ name, timeZone, numberPrefix, fiscalYearStart }: Workspace) => ({
  name,
  time_zone: timeZone,
  number_prefix: numberPrefix,
  fiscal_year_start: String(fiscalYearStart),
});
