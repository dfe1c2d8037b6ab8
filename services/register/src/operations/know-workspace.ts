import { forbidden, unavailable } from "@asset-register/runtime";
import type { WorkspaceProjection } from "../domain/workspace.ts";
import type { WorkspaceStore } from "../store/workspaces.ts";

/**
 * The workspace as projected. UNAVAILABLE while its first event is still on its
 * way, FORBIDDEN when it is disabled.
 */
export async function knowWorkspace(
  workspaces: WorkspaceStore,
  workspaceId: string,
): Promise<WorkspaceProjection> {
  const workspace = await workspaces.get(workspaceId);
  if (!workspace) throw unavailable("The workspace is being set up.");
  if (!workspace.active) throw forbidden("The workspace is disabled.");
  return workspace;
}
