import { lastResolved, resolutionsOf } from "../resolution.ts";
import type { Variance } from "../variance.ts";
import type { Judged, RowChange } from "./merge-findings.ts";

/** The details of an asset that rows show, as of this reconcile. */
export type AssetDetails = Pick<Variance, "assetNumber" | "assetName" | "cost" | "nbv">;

/** The details that rows show besides their findings. */
export type RowDetails = {
  workspaceId: string;
  sessionId: string;
  assets: ReadonlyMap<string, AssetDetails>;
  locationNames: ReadonlyMap<string, string>;
  newId(): string;
};

/** The writes of a page, and the rows that count after them. */
export type RowWrites = {
  inserts: Variance[];
  updates: Variance[];
  removedIds: string[];
  counted: Variance[];
};

/** The rows that changes lead to. A row whose content stays as it is is not written. */
export function writeRows(changes: readonly RowChange<Variance>[], details: RowDetails): RowWrites {
  const writes: RowWrites = { inserts: [], updates: [], removedIds: [], counted: [] };
  for (const change of changes) {
    switch (change.action) {
      case "insert": {
        const row = newRow(change.judged, change.status, details);
        writes.inserts.push(row);
        writes.counted.push(row);
        break;
      }
      case "reopen": {
        const { id, rev } = change.row;
        const resolutions = resolutionsOf(change.row);
        const row = { ...newRow(change.judged, change.status, details), id, resolutions, rev: rev + 1 };
        writes.updates.push(row);
        writes.counted.push(row);
        break;
      }
      case "keep": {
        const { row: before } = change;
        const row = { ...before, ...contentOf(change.judged, details, before) };
        if (!isEqual(before, row)) writes.updates.push(row);
        writes.counted.push(row);
        break;
      }
      case "make_obsolete":
        writes.updates.push({ ...lastDecided(change.row), obsolete: true, rev: change.row.rev + 1 });
        break;
      case "remove":
        writes.removedIds.push(change.row.id);
    }
  }
  return writes;
}

function newRow(judged: Judged, status: "unresolved" | "resolved", details: RowDetails): Variance {
  const { workspaceId, sessionId, newId } = details;
  return {
    ...{ id: newId(), workspaceId, sessionId },
    ...contentOf(judged, details),
    ...{ status, obsolete: false, rev: 1 },
  };
}

/** A row that was opened again has its last resolution for good, once it is no longer found. */
function lastDecided(row: Variance): Variance {
  if (row.resolution) return row;
  const { resolution, note, by: resolvedBy, at: resolvedAt } = lastResolved(row) ?? {};
  return { ...row, status: "resolved", resolution, note, resolvedBy, resolvedAt };
}

/** A location that was deleted keeps the name that the row had before. */
function contentOf({ finding, seen }: Judged, details: RowDetails, before?: Variance) {
  const { expectedLocationId, effectiveLocationId, assetId } = finding;
  const nameOf = (id: string | undefined, known: string | undefined) =>
    id === undefined ? undefined : (details.locationNames.get(id) ?? known);
  const asset = assetId === undefined ? undefined : details.assets.get(assetId);
  return {
    ...finding,
    ...{ code: seen?.code, epc: seen?.epc },
    ...{ lastScannedAt: seen?.lastScannedAt, deviceId: seen?.deviceId },
    ...{ assetNumber: asset?.assetNumber, assetName: asset?.assetName, cost: asset?.cost, nbv: asset?.nbv },
    expectedLocationName: nameOf(expectedLocationId, before?.expectedLocationName),
    effectiveLocationName: nameOf(effectiveLocationId, before?.effectiveLocationName),
  };
}

function isEqual(a: Variance, b: Variance): boolean {
  const values = (row: Variance) => Object.entries(row).filter(([, value]) => value !== undefined);
  const other = new Map<string, unknown>(values(b));
  return (
    other.size === values(a).length &&
    values(a).every(([name, value]) => {
      const its = other.get(name);
      return its instanceof Date && value instanceof Date ? its.getTime() === value.getTime() : its === value;
    })
  );
}
