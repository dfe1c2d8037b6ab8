import type { Actor } from "@asset-register/rpc";

export type VarianceKind = "found" | "missing" | "misplaced" | "unregistered" | "duplicate";
export type VarianceReason = "disposed_asset" | "deleted_asset" | "lost_asset" | "checked_out";
export type VarianceStatus = "unresolved" | "resolving" | "resolved";
export type Resolution = "confirmed_moved" | "written_off" | "ignored";

/** A resolution that an auditor chose, also one that no longer holds. */
export type VarianceResolution = {
  resolution: Resolution;
  note?: string | undefined;
  by: Actor;
  at: Date;
  /** Of the row while it was resolving: with its id, the cause of the effect in register. */
  rev: number;
  /** `refused`: register refused the effect. */
  outcome: "resolved" | "refused";
  /** Of a refused one. */
  code?: string | undefined;
};

/** A row of the result: one subject of one session. Names and amounts are those of the last reconcile. */
export type Variance = {
  id: string;
  workspaceId: string;
  sessionId: string;
  /** `asset:` and its id, or the normalised text of the scans. Unique in the session. */
  subject: string;
  kind: VarianceKind;
  assetId?: string | undefined;
  assetNumber?: string | undefined;
  assetName?: string | undefined;
  /** In minor units of the workspace's currency. */
  cost?: number | undefined;
  nbv?: number | undefined;
  code?: string | undefined;
  epc?: string | undefined;
  expectedLocationId?: string | undefined;
  expectedLocationName?: string | undefined;
  effectiveLocationId?: string | undefined;
  effectiveLocationName?: string | undefined;
  lastScannedAt?: Date | undefined;
  deviceId?: string | undefined;
  reason?: VarianceReason | undefined;
  checkoutId?: string | undefined;
  status: VarianceStatus;
  resolution?: Resolution | undefined;
  note?: string | undefined;
  resolvedBy?: Actor | undefined;
  resolvedAt?: Date | undefined;
  /** The last ones, the newest last. Read them by `resolutionsOf`. */
  resolutions?: readonly VarianceResolution[] | undefined;
  /** Resolved, and no longer a result of the last reconcile. */
  obsolete: boolean;
  rev: number;
};

/** Which rows of a session a list shows. Absent fields mean any. */
export type VarianceFilter = {
  kind?: VarianceKind | undefined;
  /** One of these; not with `kind`. */
  kinds?: readonly VarianceKind[] | undefined;
  status?: VarianceStatus | undefined;
  reason?: VarianceReason | undefined;
  /** False leaves out obsolete rows. */
  obsolete?: false | undefined;
};
