import type { Variance } from "../variance.ts";
import { type Finding, needsResolution, type Seen } from "./finding.ts";
import { type AssetCase, type AssetResult, judgeAsset } from "./judge-asset.ts";

/** A row of the last reconcile, as far as it decides what becomes of it. */
export type PreviousRow = Finding & Pick<Variance, "status" | "resolution" | "resolutions" | "obsolete">;

/** A finding, and whether its earlier resolution is void. */
export type Judged = { finding: Finding; seen?: Seen | undefined; reopen?: boolean | undefined };

/** The change of a row. A kept row keeps its status, its resolution and its rev. */
export type RowChange<Row extends PreviousRow> =
  | { action: "insert"; judged: Judged; status: "unresolved" | "resolved" }
  | { action: "keep"; judged: Judged; row: Row }
  | { action: "reopen"; judged: Judged; row: Row; status: "unresolved" | "resolved" }
  | { action: "make_obsolete" | "remove"; row: Row };

/**
 * Compares the findings of a range of subjects with the rows that it had. The result has one change for each finding, and
 * one for each row that is no longer found, unless it was obsolete before.
 */
export function mergeFindings<Row extends PreviousRow>(
  rows: readonly Row[],
  judgements: readonly Judged[],
): RowChange<Row>[] {
  const left = new Map(rows.map((row) => [row.subject, row]));
  const changes = judgements.map((judged): RowChange<Row> => {
    const { finding, reopen } = judged;
    const row = left.get(finding.subject);
    left.delete(finding.subject);
    if (row && !row.obsolete && !reopen && isSameFinding(row, finding)) {
      return { action: "keep", judged, row };
    }
    const status = needsResolution(finding) ? "unresolved" : "resolved";
    return row ? { action: "reopen", judged, row, status } : { action: "insert", judged, status };
  });
  const gone = [...left.values()].filter(({ obsolete }) => !obsolete);
  return [
    ...changes,
    ...gone.map((row) => ({ action: wasResolved(row) ? "make_obsolete" : "remove", row }) as const),
  ];
}

/** A row that nobody has resolved says nothing once it is no longer true. */
const wasResolved = ({ resolution, resolutions = [] }: PreviousRow): boolean =>
  resolution !== undefined || resolutions.some(({ outcome }) => outcome === "resolved");

export function isSameFinding(a: Finding, b: Finding): boolean {
  return (
    a.kind === b.kind &&
    a.reason === b.reason &&
    a.assetId === b.assetId &&
    a.expectedLocationId === b.expectedLocationId &&
    a.effectiveLocationId === b.effectiveLocationId &&
    a.checkoutId === b.checkoutId
  );
}

/**
 * Judges an asset that may have a row. Where a confirmation of the session gave a lost asset its status back, the asset
 * counts as lost if nothing else has changed. If it is lost again, the confirmation no longer counts.
 */
export function judgeAgain(
  input: AssetCase,
  row: PreviousRow | undefined,
): AssetResult & { reopen: boolean } {
  const result = { ...judgeAsset(input), reopen: false };
  const { asset } = input;
  const restored = row?.reason === "lost_asset" && row.resolution === "confirmed_moved" && !row.obsolete;
  if (!asset || !restored) return result;
  if (asset.lost) return { ...result, reopen: true };
  const asLost = judgeAsset({ ...input, asset: { ...asset, lost: true } });
  return asLost.finding && isSameFinding(asLost.finding, row) ? { ...asLost, reopen: false } : result;
}
