import { AppError } from "@asset-register/runtime";
import type { Status } from "../domain/status.ts";
import type { StatusStore } from "../store/statuses.ts";

/** The workspace's statuses, seeded when nobody needed them before. */
export async function knowStatuses(statuses: StatusStore, workspaceId: string): Promise<Status[]> {
  const known = await statuses.list(workspaceId);
  if (known.length > 0) return known;
  await statuses.seed(workspaceId);
  return statuses.list(workspaceId);
}

/** The status of assets that name none. */
export async function knowDefaultStatus(statuses: StatusStore, workspaceId: string): Promise<Status> {
  const known = await statuses.getDefault(workspaceId);
  if (known) return known;
  await statuses.seed(workspaceId);
  const seeded = await statuses.getDefault(workspaceId);
  if (!seeded) throw missing(workspaceId, "default");
  return seeded;
}

/** A status that an asset refers to, which therefore exists. */
export function existing(status: Status | undefined, workspaceId: string, id: string): Status {
  if (!status) throw missing(workspaceId, id);
  return status;
}

function missing(workspaceId: string, which: string): AppError {
  return new AppError({
    kind: "internal",
    code: "INTERNAL",
    message: "Internal error.",
    detail: `workspace ${workspaceId} lacks status ${which}`,
  });
}
