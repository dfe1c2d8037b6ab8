import type { Context } from "../../context.ts";
import type { WorkspaceState } from "../../store/workspaces.ts";

/** Projects workspaces. From now on, the readers of a disabled one are refused. */
export async function applyWorkspaces({ stores }: Context, states: WorkspaceState[]): Promise<void> {
  await stores.workspaces.project(states);
  for (const { workspaceId, disabled } of states) {
    if (disabled) await stores.versions.changing(await stores.readers.listIds(workspaceId));
  }
}
