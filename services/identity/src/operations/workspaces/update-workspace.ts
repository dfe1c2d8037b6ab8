import { definedOnly } from "@asset-register/mongo";
import { changesBetween, changesTo, invalid, requireFound, requireRev } from "@asset-register/runtime";
import type { Caller, Context } from "../../context.ts";
import type { AuditEntry } from "../../domain/audit-entry.ts";
import { hasSecondFactor } from "../../domain/session.ts";
import { changeWorkspace, type Workspace, type WorkspaceChange } from "../../domain/workspace.ts";
import { workspaceUpdated } from "../../published.ts";
import { auditEntry } from "../audit-entry.ts";
import { requireRecent } from "../sessions/require-recent.ts";

export type UpdateWorkspace = WorkspaceChange & { ifRevIn?: readonly number[] };

/** Changes settings, plan or status of the workspace and publishes its new state. */
export async function updateWorkspace(
  context: Context,
  { ifRevIn, ...change }: UpdateWorkspace,
  call: Caller,
): Promise<Workspace> {
  const { mongo, stores, outbox, credentialVersions, now } = context;
  const { workspaceId } = call;
  const after = await mongo.transaction(call, async (session) => {
    const before = requireFound(await stores.workspaces.get(workspaceId, session), "workspace");
    requireRev(before.rev, ifRevIn);
    const workspace = changeWorkspace(before, change, now());
    if (workspace === before) return workspace;
    if (workspace.requireMfa !== before.requireMfa) await assertMayRequireMfa(context, workspace, call);
    await stores.workspaces.save(workspaceId, workspace, before.rev, session);
    await outbox.add(session, workspaceUpdated(before, workspace));
    await stores.auditLog.append(workspaceId, auditEntries(before, workspace, change, call), session);
    return workspace;
  });
  await credentialVersions.raise(workspaceId, after.rev);
  return after;
}

/** An admin who has no second factor would be the first whom the change stops. */
async function assertMayRequireMfa(context: Context, { requireMfa }: Workspace, call: Caller) {
  await requireRecent(context, call);
  const { principal } = call;
  if (requireMfa !== true || principal?.kind !== "user") return;
  const session = await context.stores.sessions.get(principal.workspaceId, principal.sessionId);
  if (session !== undefined && hasSecondFactor(session)) return;
  const message = "needs an admin who is signed in with a second factor: set one up first";
  throw invalid([{ field: "require_mfa", message }]);
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
