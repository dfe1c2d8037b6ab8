import type { Actor } from "@asset-register/rpc";
import { AppError, conflict } from "@asset-register/runtime";
import { needsResolution } from "./reconcile/finding.ts";
import type { Resolution, Variance, VarianceKind, VarianceResolution } from "./variance.ts";

/** The application of one resolution, whose id is the cause of its effect in register. */
export type ResolutionWork = {
  /** The id of the variance and its rev as `resolving`: a variance that is opened again has another one. */
  id: string;
  workspaceId: string;
  sessionId: string;
  sessionName: string;
  varianceId: string;
  varianceRev: number;
  /** `refused`: register refused the effect, so the variance is unresolved again. */
  status: "resolving" | "done" | "refused";
  progress: { done: number; total: number };
  resolution: Resolution;
  /** The auditor. */
  by: Actor;
  /** Until when the session knew what happened to the asset. */
  seenUntil?: Date | undefined;
};

/** Resolutions that a row keeps. */
const KEPT = 50;

type ResolvedRow = Pick<
  Variance,
  "resolution" | "note" | "resolvedBy" | "resolvedAt" | "resolutions" | "rev"
>;

/** All resolutions of a row, the newest last. Rows of an earlier release have only that which holds. */
export function resolutionsOf(row: ResolvedRow): readonly VarianceResolution[] {
  const { resolutions, resolution, note, resolvedBy: by, resolvedAt: at, rev } = row;
  if (resolutions?.length || !resolution || !by || !at) return resolutions ?? [];
  return [{ resolution, note, by, at, rev: rev - 1, outcome: "resolved" }];
}

/** The resolutions of a row with a new one. */
export const addResolution = (row: ResolvedRow, added: VarianceResolution): VarianceResolution[] =>
  [...resolutionsOf(row), added].slice(-KEPT);

/** The resolutions of a row that no longer hold. */
export const formerResolutions = (row: ResolvedRow & Pick<Variance, "status">) =>
  resolutionsOf(row).slice(0, row.status === "resolved" && row.resolution ? -1 : undefined);

/** The last resolution of a row that register has had. */
export const lastResolved = (row: ResolvedRow): VarianceResolution | undefined =>
  resolutionsOf(row).findLast(({ outcome }) => outcome === "resolved");

/** The variances that each resolution is for. */
const allowed: Record<Resolution, (row: Pick<Variance, "kind" | "reason">) => boolean> = {
  confirmed_moved: ({ kind }) =>
    (["misplaced", "duplicate", "found"] satisfies VarianceKind[] as VarianceKind[]).includes(kind),
  written_off: ({ kind }) => kind === "missing",
  ignored: () => true,
};

/** @throws AppError RESOLUTION_NOT_ALLOWED */
export function assertAllowed(row: Pick<Variance, "kind" | "reason">, resolution: Resolution): void {
  if (needsResolution(row) && allowed[resolution](row)) return;
  const message = needsResolution(row)
    ? `A variance of kind ${row.kind} cannot be resolved as ${resolution}.`
    : "This variance needs no resolution.";
  throw new AppError({
    ...{ kind: "invalid", code: "RESOLUTION_NOT_ALLOWED", message },
    violations: [{ field: "resolution", message }],
  });
}

/** The variance has another resolution. */
export function varianceResolved(resolution: Resolution): AppError {
  return conflict(
    "VARIANCE_RESOLVED",
    `The variance is resolved as ${resolution}. Only a reconcile can open it again.`,
    [{ field: "resolution", message: resolution }],
  );
}
