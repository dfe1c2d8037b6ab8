import { forbidden, unavailable } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import type { WorkspaceProjection } from "../domain/workspace.ts";

/**
 * The workspace as projected.
 * @throws AppError UNAVAILABLE before its first event has arrived, FORBIDDEN when it is disabled
 */
export async function requireWorkspace(
  { stores }: Pick<Context, "stores">,
  workspaceId: string,
): Promise<WorkspaceProjection> {
  const workspace = await stores.workspaces.get(workspaceId);
  if (!workspace) throw unavailable("The workspace is being set up.");
  if (!workspace.active) throw forbidden("The workspace is disabled.");
  return workspace;
}

/**
 * The same for work without a caller, which waits until the workspace is there and enabled.
 * @throws AppError UNAVAILABLE
 */
export async function requireActive(
  { stores }: Pick<Context, "stores">,
  workspaceId: string,
): Promise<WorkspaceProjection> {
  const workspace = await stores.workspaces.get(workspaceId);
  if (!workspace?.active) throw unavailable("The workspace is disabled.");
  return workspace;
}
