import { invalid, notFound } from "@asset-register/runtime";
import type { Identity } from "../context.ts";
import { type AuditEntry, checkForeignAct, type ForeignAct } from "../domain/audit.ts";

/** Records an act of another service, once for each cause. */
export async function recordAudit(
  { workspaces, audit }: Identity,
  workspaceId: string,
  foreign: ForeignAct,
): Promise<AuditEntry> {
  const violations = checkForeignAct(workspaceId, foreign);
  if (violations.length > 0) throw invalid(violations);
  if ((await workspaces.find(workspaceId)) === undefined) throw notFound(undefined, "workspace_id");
  return audit.addForeign(workspaceId, foreign);
}
