import type { CredentialVersions } from "../store/credential-versions.ts";
import type { ReaderStore } from "../store/readers.ts";
import type { WorkspaceState, WorkspaceStore } from "../store/workspaces.ts";

export type ApplyWorkspaces = ReturnType<typeof applyWorkspaces>;

type Deps = { workspaces: WorkspaceStore; readers: ReaderStore; versions: CredentialVersions };

/** Projects workspaces. The readers of one that is disabled are refused from now on. */
export function applyWorkspaces({ workspaces, readers, versions }: Deps) {
  return async (states: readonly WorkspaceState[]): Promise<void> => {
    await workspaces.project(states);
    for (const { workspaceId, disabled } of states) {
      if (disabled) await versions.changing(await readers.idsOf(workspaceId));
    }
  };
}
