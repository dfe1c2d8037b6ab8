import type { ClientSession, Index, Mongo } from "@asset-register/mongo";
import type { Actor } from "../domain/actor.ts";
import type { Change, HistoryAction, HistoryEntry } from "../domain/history.ts";

type HistoryDocument = {
  _id: string;
  workspaceId: string;
  asset_id: string;
  at: Date;
  actor: Actor;
  action: HistoryAction;
  changes: Change[];
  request_id: string;
};

/** What happened to assets: append-only. */
export function historyStore(mongo: Mongo) {
  const history = mongo.collection<HistoryDocument>("asset_history");
  return {
    async append(workspaceId: string, entries: HistoryEntry[], session: ClientSession): Promise<void> {
      await history.insertMany(
        entries.map((entry) => ({
          _id: entry.id,
          workspaceId,
          asset_id: entry.assetId,
          at: entry.at,
          actor: entry.actor,
          action: entry.action,
          changes: entry.changes,
          request_id: entry.requestId,
        })),
        { session, ignoreUndefined: true },
      );
    },
  };
}

export const historyIndexes: readonly Index[] = [
  { name: "asset", key: { workspaceId: 1, asset_id: 1, _id: 1 } },
];
