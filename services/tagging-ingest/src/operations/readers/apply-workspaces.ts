import type { WorkspaceState } from "@asset-register/service";
import type { Context } from "../../context.ts";

/** Projects workspaces. From now on, the readers of a disabled one are refused. */
export async function applyWorkspaces({ stores }: Context, states: readonly WorkspaceState[]): Promise<void> {
  await stores.workspaces.project(states);
  for (const { workspaceId, fields } of states) {
    if (fields?.active !== false) continue;
    await stores.versions.changing(workspaceId, await stores.readers.listIds(workspaceId));
  }
}
