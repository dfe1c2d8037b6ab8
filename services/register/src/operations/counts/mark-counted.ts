import { retryOnDuplicateKey } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { deterministicId } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { HistoryEntry } from "../../domain/assets/history.ts";

export type MarkCounted = {
  workspaceId: string;
  sessionId: string;
  closedAt: Date;
  assetIds: string[];
};

/**
 * Notes that a stock-take saw assets: last_audited_at if it is newer, and a row of the history whose id follows from
 * session and asset. Both are repeatable, so no transaction holds 1000 assets that people may be working on.
 */
export async function markCounted(
  { stores }: Context,
  { workspaceId, sessionId, closedAt, assetIds }: MarkCounted,
  { actor, requestId }: Call,
): Promise<void> {
  const ids = await stores.assetDirectory.existing(workspaceId, assetIds);
  const rows = ids.map(
    (assetId): HistoryEntry => ({
      id: deterministicId("his", closedAt, sessionId, assetId),
      ...{ workspaceId, assetId, actor, requestId },
      at: closedAt,
      action: "counted",
      changes: [],
    }),
  );
  await retryOnDuplicateKey(() => stores.history.appendOnce(workspaceId, rows));
  await stores.assetDirectory.setAudited(workspaceId, ids, closedAt);
}
