import type { Resolution, Variance, VarianceKind } from "../variance.ts";
import { emptyTally, type Tally } from "./figures.ts";

/**
 * The steps of a reconcile: resolve the scanned codes, judge the assets, judge the codes without an asset. A release that
 * stores other data between them renames them, so that no process continues the run of another release.
 */
export type ReconcilePhase = "resolve" | "judge_assets" | "judge_codes";

/** How far a reconcile is. It is stored in the session, so that another process can continue. */
export type ReconcileRun = {
  /** Scans up to this one are read. */
  seq: number;
  /** The recorded time: later movements do not count. */
  until: Date;
  /** The status to return to if the reconcile fails. */
  before: "open" | "reconciled";
  phase: ReconcilePhase;
  /** The last code, asset or canonical form of the phase that is done. Empty at its beginning. */
  after: string;
  tagsScanned: number;
  tally: Tally;
  rows: RowTotals;
};

/** The variances of one kind. */
export type KindCounts = { total: number; unresolved: number } & Record<Resolution, number>;

/** The sums of the rows of a session, without obsolete ones. */
export type RowTotals = {
  counts: Record<VarianceKind, KindCounts>;
  /** Of the missing assets, in minor units. */
  missingCost: number;
  missingNbv: number;
};

/** The part of a run that stays in the session, for its report. */
export type ReconcileResult = RowTotals & {
  /** Distinct assets that were seen. Closing stamps them. */
  seen: number;
  /** The recorded time. A release before this one did not store it. */
  until?: Date | undefined;
};

const none: KindCounts = { total: 0, unresolved: 0, confirmed_moved: 0, written_off: 0, ignored: 0 };

export const noRows: RowTotals = {
  counts: { found: none, missing: none, misplaced: none, unregistered: none, duplicate: none },
  missingCost: 0,
  missingNbv: 0,
};

export const newRun = ({
  seq,
  until,
  before,
}: Pick<ReconcileRun, "seq" | "until" | "before">): ReconcileRun => ({
  ...{ seq, until, before },
  ...{ phase: "resolve", after: "", tagsScanned: 0, tally: emptyTally, rows: noRows },
});

/** Adds a row to the sums. A row that is being resolved is not resolved yet. */
export function addRow(totals: RowTotals, row: Variance): RowTotals {
  const counts = totals.counts[row.kind];
  const isMissing = row.kind === "missing";
  return {
    counts: {
      ...totals.counts,
      [row.kind]: {
        ...counts,
        total: counts.total + 1,
        unresolved: counts.unresolved + Number(row.status !== "resolved"),
        ...(row.resolution && row.status === "resolved" && { [row.resolution]: counts[row.resolution] + 1 }),
      },
    },
    missingCost: totals.missingCost + (isMissing ? (row.cost ?? 0) : 0),
    missingNbv: totals.missingNbv + (isMissing ? (row.nbv ?? 0) : 0),
  };
}

export const unresolvedOf = ({ counts }: RowTotals): number =>
  Object.values(counts).reduce((sum, { unresolved }) => sum + unresolved, 0);
