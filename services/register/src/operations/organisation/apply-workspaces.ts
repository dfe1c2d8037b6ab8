import type { WorkspaceState } from "@asset-register/service";
import type { Context } from "../../context.ts";
import { listStatuses } from "../assets/statuses.ts";

/** Projects workspaces, in any order and any number of times, and seeds the statuses of new ones. */
export async function applyWorkspaces(context: Context, states: readonly WorkspaceState[]): Promise<void> {
  await context.stores.workspaces.project(states);
  for (const id of new Set(states.map((state) => state.id))) await listStatuses(context, id);
}
