import type { WorkspaceProjection } from "../domain/workspace.ts";
import type { Register } from "../register.ts";
import { knowStatuses } from "./know-statuses.ts";

export type WorkspaceState = { epoch: number; sequence: number; workspace: WorkspaceProjection };

/** Projects workspaces, in any order and however often, and gives new ones their statuses. */
export async function applyWorkspaces({ stores }: Register, states: WorkspaceState[]): Promise<void> {
  await stores.workspaces.project(states);
  for (const id of new Set(states.map(({ workspace }) => workspace.id))) {
    await knowStatuses(stores.statuses, id);
  }
}
