import type { Carry, LedgerRow } from "../ledger/ledger.ts";
import type { Book } from "../profiles/profile.ts";
import type { Line, LineWarning, SkipReason } from "../schedule/line.ts";
import type { Period } from "../schedule/period.ts";

/** A line of a run, as it is stored. */
export type RunLine = Line & {
  /** runLineId() */
  id: string;
  workspaceId: string;
  runId: string;
  assetId: string;
  profileId: string;
  /** As of computing. */
  categoryId?: string | undefined;
  /** Of the last line of an asset: the carry of its profile once the lines are posted. */
  carry?: Carry | undefined;
};

/** An asset without a line. Its id is that of the run and of the asset. */
export type RunSkip = { id: string; workspaceId: string; runId: string; assetId: string; reason: SkipReason };

/** The warnings of an asset in a run. Its id is that of the run and of the asset. */
export type RunWarningRow = {
  id: string;
  workspaceId: string;
  runId: string;
  assetId: string;
  warnings: LineWarning[];
};

/** An asset that has changed while its run was computing. */
export type RunChangedAsset = {
  id: string;
  workspaceId: string;
  runId: string;
  assetId: string;
  /** Rises with each change. */
  changes: number;
};

export const ofRunAsset = (runId: string, assetId: string): string => `${runId}:${assetId}`;

/** In order of asset, and of the lines of an asset. */
export const runLineId = (runId: string, assetId: string, index: number): string =>
  `${runId}:${assetId}:${String(index).padStart(5, "0")}`;

/** The ledger row that a line becomes. */
export const toLedgerRow = (line: RunLine, book: Book, bookedIn: Period): LedgerRow => ({
  profileId: line.profileId,
  assetId: line.assetId,
  book,
  kind: line.kind,
  period: line.period,
  bookedIn,
  categoryId: line.categoryId,
  amount: line.amount,
  causeId: line.causeId ?? line.runId,
  units: line.units,
});
