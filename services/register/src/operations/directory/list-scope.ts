import type { Call } from "@asset-register/rpc";
import type { Context } from "../../context.ts";
import type { Asset } from "../../domain/assets/asset.ts";
import type { Status } from "../../domain/assets/status.ts";
import { type StatusesById, statusesById } from "../assets/statuses.ts";
import { expandScope, type NamedScope } from "./expand-scope.ts";

export type ListScope = {
  workspaceId: string;
  scope: NamedScope;
  toCount: boolean;
  afterId?: string | undefined;
  limit: number;
};

export type ScopePage = {
  assets: Asset[];
  statuses: StatusesById;
  nextAfterId?: string | undefined;
  total?: number | undefined;
};

/**
 * One page of a scope. It is read in one snapshot: groups of ranges that are read one after the other would miss an asset
 * that moves from a later group to an earlier one meanwhile.
 */
export async function listScope(context: Context, input: ListScope, call: Call): Promise<ScopePage> {
  const { mongo, stores } = context;
  const { workspaceId, afterId, limit } = input;
  const [scope, statuses] = await Promise.all([
    expandScope(context, workspaceId, input.scope),
    statusesById(context, workspaceId),
  ]);
  const statusIds = input.toCount ? counted(statuses) : undefined;
  const [found, total] = await Promise.all([
    mongo.transaction(call, (session) =>
      stores.assetDirectory.listScope(workspaceId, { scope, statusIds, afterId, limit: limit + 1 }, session),
    ),
    afterId === undefined ? stores.assetDirectory.countScope(workspaceId, { scope, statusIds }) : undefined,
  ]);
  const assets = found.slice(0, limit);
  return { assets, statuses, total, nextAfterId: found.length > limit ? assets.at(-1)?.id : undefined };
}

/** A stock-take looks for assets of these statuses: not for lost ones, nor for those that have not arrived. */
function counted(statuses: StatusesById): string[] {
  return [...statuses.values()].filter(isCounted).map(({ id }) => id);
}

const isCounted = (status: Status): boolean => status.key !== "lost" && status.class !== "pending";
