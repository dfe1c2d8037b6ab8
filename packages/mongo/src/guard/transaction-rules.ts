import type { mongo } from "mongoose";
import { inTransaction } from "../unavailable.ts";
import type { Refuse } from "./tenant-guard-error.ts";

/** Who makes a call. A user and an API key have a workspace. */
export type Caller = { readonly workspaceId?: string | undefined } | { readonly kind: string };

/** The workspaces of transactions that belong to one, by their sessions. */
const workspaces = new WeakMap<mongo.ClientSession, string>();

/** The transactions of a session use the guarded collections of the caller's workspace only, if the caller has one. */
export function bindToWorkspace(session: mongo.ClientSession, principal: Caller | undefined): void {
  if (principal === undefined || !("workspaceId" in principal)) return;
  if (principal.workspaceId !== undefined) workspaces.set(session, principal.workspaceId);
}

/**
 * Keeps transactions such that they run on a sharded cluster, and those of a call on the shards of its workspace, which
 * begins the shard keys.
 */
export function checkTransaction(
  method: string,
  options: unknown,
  workspaceIds: readonly string[],
  refuse: Refuse,
): void {
  if (!inTransaction(options)) return;
  // MongoDB refuses it for a sharded collection.
  if (method === "distinct") refuse("is not allowed in a transaction: use find or aggregate");
  const bound = workspaces.get(options.session);
  if (bound === undefined || workspaceIds.every((workspaceId) => workspaceId === bound)) return;
  refuse("the transaction belongs to the workspace of its call");
}
