import type { Actor } from "./actor.ts";

/** What a row of an asset's history tells. */
export type HistoryAction = "created" | "moved" | "checked_out" | "returned";

/** A field before and after; an absent side means empty. */
export type Change = { field: string; before?: string | undefined; after?: string | undefined };

/** One row of an asset's history: append-only. */
export type HistoryEntry = {
  id: string;
  workspaceId: string;
  assetId: string;
  at: Date;
  actor: Actor;
  action: HistoryAction;
  changes: Change[];
  requestId: string;
};
