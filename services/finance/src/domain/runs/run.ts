import type { Actor } from "@asset-register/rpc";
import { type Change, conflict, invalid } from "@asset-register/runtime";
import type { Book } from "../profiles/profile.ts";
import type { LineWarning, SkipReason } from "../schedule/line.ts";
import type { Period } from "../schedule/period.ts";

export type RunStatus = "computing" | "draft" | "posting" | "posted" | "failed" | "discarded";

export type Progress = { done: number; total: number };

export type RunTotals = {
  /** Assets with a line. */
  assets: number;
  lines: number;
  /** Charges for the month of the run, in minor units. */
  current: number;
  /** Charges for earlier months. */
  catchUp: number;
  impairment: number;
};

export type SkippedAsset = { assetId: string; reason: SkipReason };

export type RunWarning = { assetId: string } & LineWarning;

/** The depreciation of all assets of a workspace in one book, up to a month. */
export type Run = {
  /** "run_..." */
  id: string;
  workspaceId: string;
  book: Book;
  period: Period;
  /** Of the workspace: an ISO 4217 code. */
  currency: string;
  status: RunStatus;
  /** Of computing, in assets, or of posting, in lines. */
  progress: Progress;
  /** The inputs of the draft have changed. */
  stale: boolean;
  totals: RunTotals;
  /** The amounts of the journal, by `categoryId|kind`: counters that each chunk raises. */
  amounts: Record<string, number>;
  /** Set when the run becomes a draft: the first 1000 warnings and 100 skipped assets, in order of asset. */
  warnings: RunWarning[];
  skipped: SkippedAsset[];
  skippedCount: number;
  /** The work is done up to this asset (computing) or this line (posting). */
  after: string;
  /** The present phase of computing. */
  phase?: RunPhase | undefined;
  /** Why computing failed. */
  error?: { code: string; message: string } | undefined;
  createdAt: Date;
  createdBy: Actor;
  postedAt?: Date | undefined;
  /** The actor that has accepted it, from posting on. */
  postedBy?: Actor | undefined;
  rev: number;
};

/**
 * | Phase   | Work                                                      |
 * | ------- | --------------------------------------------------------- |
 * | assets  | apply what register has changed                           |
 * | lines   | compute all assets, in order of id                        |
 * | changes | compute assets again that have changed in the meantime    |
 */
export type RunPhase = "assets" | "lines" | "changes";

/** A workspace has at most one run of a book with one of these statuses. */
export const liveStatuses = ["computing", "draft", "posting"] as const satisfies readonly RunStatus[];

export const noTotals: RunTotals = { assets: 0, lines: 0, current: 0, catchUp: 0, impairment: 0 };

/** The number of warnings and skipped assets that a run shows. */
export const SHOWN = { warnings: 1_000, skipped: 100 };

/** @throws AppError RUN_STATE */
export function assertCanPost(run: Pick<Run, "status">): void {
  requireStatus(run, "draft");
}

/** @throws AppError RUN_STATE */
export function assertCanDiscard(run: Pick<Run, "status">): void {
  requireStatus(run, "computing", "draft", "failed");
}

/** The assets that have changed since a draft was computed: the first ones, and their number. */
export type ChangedAssets = { assetIds: readonly string[]; count: number };

/** Assets that a RUN_STALE names. */
export const NAMED = 10;

/** @throws AppError RUN_STALE, which names the assets */
export function assertFresh({ stale }: Pick<Run, "stale">, { assetIds, count }: ChangedAssets): void {
  if (!stale) return;
  const changed = count === 1 ? "1 asset has changed" : `${count} assets have changed`;
  throw conflict(
    "RUN_STALE",
    "The inputs of the run have changed since it was computed. Discard it and create another one.",
    [
      { field: "stale", message: changed },
      ...assetIds.map((assetId) => ({ field: "asset_id", message: assetId })),
    ],
  );
}

function requireStatus({ status }: Pick<Run, "status">, ...allowed: readonly RunStatus[]): void {
  if (allowed.includes(status)) return;
  throw conflict("RUN_STATE", `The run is ${status}. This needs a run that is ${allowed.join(" or ")}.`, [
    { field: "status", message: status },
  ]);
}

/** The runs of a book that matter for a new one. */
export type OtherRuns = {
  live?: Pick<Run, "id" | "status"> | undefined;
  /** The posted run of the same month. */
  posted?: Pick<Run, "id"> | undefined;
  lastPosted?: Period | undefined;
};

/**
 * Checks the month of a new run, in this order: RUN_LIVE, RUN_EXISTS, then the month.
 *
 * @throws AppError RUN_LIVE, RUN_EXISTS; VALIDATION_FAILED on month before the last posted or after the current one
 */
export function assertCanCreate(period: Period, currentPeriod: Period, others: OtherRuns): void {
  const { live, posted, lastPosted } = others;
  if (live) {
    const message = `Another run of the book is ${live.status}. Post or discard it first.`;
    throw conflict("RUN_LIVE", message, [{ field: "run_id", message: live.id }]);
  }
  if (posted) {
    throw conflict("RUN_EXISTS", "The month is posted already.", [{ field: "run_id", message: posted.id }]);
  }
  if (lastPosted !== undefined && period < lastPosted) {
    throw invalid([{ field: "month", message: `must not be before ${lastPosted}, the last posted month` }]);
  }
  if (period > currentPeriod) {
    throw invalid([{ field: "month", message: `must not be after ${currentPeriod}, the current month` }]);
  }
}

/** The change of the status, for the audit log. */
export const statusChange = (before: RunStatus | undefined, after: RunStatus): Change[] => [
  { field: "status", before, after },
];
