import type { ClientSession } from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import { AppError } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { Status } from "../../domain/assets/status.ts";

/** The workspace's statuses. The first caller seeds them. */
export async function listStatuses({ stores }: Context, workspaceId: string): Promise<Status[]> {
  const known = await stores.statuses.list(workspaceId);
  if (known.length > 0) return known;
  await stores.statuses.seed(workspaceId);
  return stores.statuses.list(workspaceId);
}

/** A page of the workspace's statuses. */
export async function listStatusPage(
  context: Context,
  workspaceId: string,
  page: PageQuery,
): Promise<Page<Status>> {
  // Seeded first: rows and total are read one after the other, and another caller may seed in between.
  await listStatuses(context, workspaceId);
  return context.stores.statuses.listPage(workspaceId, page);
}

/** The status of a new asset. */
export async function getDefaultStatus({ stores }: Context, workspaceId: string): Promise<Status> {
  const known = await stores.statuses.getDefault(workspaceId);
  if (known) return known;
  await stores.statuses.seed(workspaceId);
  return existing(await stores.statuses.getDefault(workspaceId), workspaceId, "default");
}

/** The status that an asset refers to. */
export async function getStatus(
  { stores }: Context,
  workspaceId: string,
  id: string,
  session?: ClientSession,
): Promise<Status> {
  return existing(await stores.statuses.get(workspaceId, id, session), workspaceId, id);
}

/** A status that must exist. @throws AppError INTERNAL when it does not */
export function existing(status: Status | undefined, workspaceId: string, which: string): Status {
  if (status) return status;
  throw new AppError({
    kind: "internal",
    code: "INTERNAL",
    message: "Internal error.",
    detail: `workspace ${workspaceId} has no status ${which}`,
  });
}

/** Statuses by their id. */
export type StatusesById = ReadonlyMap<string, Status>;

/** The workspace's statuses by id, for answers about many assets. */
export async function statusesById(context: Context, workspaceId: string): Promise<StatusesById> {
  return new Map((await listStatuses(context, workspaceId)).map((status) => [status.id, status]));
}
