import type { Actor } from "@asset-register/rpc";
import type { Change } from "@asset-register/runtime";

/** The kind of a change to an asset. */
export type HistoryAction =
  | "created"
  | "updated"
  | "moved"
  | "status"
  | "checked_out"
  | "returned"
  | "disposed"
  | "deleted"
  | "counted"
  | "tagged"
  | "untagged";

/** One row of an asset's history: append-only. */
export type HistoryEntry = {
  id: string;
  workspaceId: string;
  assetId: string;
  at: Date;
  actor: Actor;
  action: HistoryAction;
  changes: Change[];
  note?: string | undefined;
  requestId: string;
  /** Of an effect for another service: names its cause, once in the workspace. */
  causeId?: string | undefined;
  /** With `causeId`: the asset's rev after the effect, which a repeat answers. */
  assetRev?: number | undefined;
};
