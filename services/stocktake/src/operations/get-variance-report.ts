import type { Page, PageQuery } from "@asset-register/rpc";
import { AppError, requireFound } from "@asset-register/runtime";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../context.ts";
import { noRows, type RowTotals } from "../domain/reconcile/run.ts";
import { resultsOf, type Session } from "../domain/session.ts";
import type { Variance, VarianceFilter, VarianceKind } from "../domain/variance.ts";

export type VarianceReport = {
  session: Session;
  totals: RowTotals;
  rows: Page<Variance>;
  currency: string;
};

/** Rows of what is as it should be are asked for by name. */
const shown: readonly VarianceKind[] = ["missing", "misplaced", "unregistered", "duplicate"];

/**
 * The figures of a session, and a page of its rows.
 * @throws AppError NOT_FOUND; TOO_LARGE for a value beyond 2^53 - 1 minor units
 */
export async function getVarianceReport(
  context: Context,
  workspaceId: string,
  sessionId: string,
  { filter, page }: { filter: VarianceFilter; page: PageQuery },
): Promise<VarianceReport> {
  const { stores } = context;
  const { currency } = await requireWorkspace(context, workspaceId);
  const session = requireFound(await stores.sessions.get(workspaceId, sessionId), "session");
  const totals = session.result ?? noRows;
  const kinds = filter.kind ? undefined : shown;
  const rows = await stores.variances.list(
    workspaceId,
    resultsOf(session),
    { ...filter, kinds, obsolete: false },
    page,
    knownTotal(session, totals, filter),
  );
  for (const amount of [totals.missingCost, totals.missingNbv]) {
    if (Number.isSafeInteger(amount)) continue;
    const message = "The value of the missing assets is too large to be shown.";
    throw new AppError({ kind: "invalid", code: "TOO_LARGE", message });
  }
  return { session, totals, rows, currency };
}

/** The number of rows of some kinds, unless another filter or a reconcile changes it. */
function knownTotal({ status }: Session, { counts }: RowTotals, filter: VarianceFilter): number | undefined {
  if (filter.status || filter.reason || status === "reconciling") return undefined;
  return (filter.kind ? [filter.kind] : shown).reduce((sum, kind) => sum + counts[kind].total, 0);
}
