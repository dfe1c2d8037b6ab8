import { pageOfRows } from "@asset-register/mongo";
import type { Call, Page, PageQuery } from "@asset-register/rpc";
import { invalid } from "@asset-register/runtime";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../../context.ts";
import type { AssetFilter } from "../../domain/assets/asset.ts";
import { inOrderOfName, placeOf, type ReportRow, rollUp } from "../../domain/reports/report.ts";

export type ReportGrouping = "location" | "custodian" | "category";

export type ListReportRows = {
  grouping: ReportGrouping;
  /** Adds to each record the assets of those below it. */
  rollup: boolean;
  filter: AssetFilter;
  page: PageQuery;
};

const fields = { location: "locationId", custodian: "custodianId", category: "categoryId" } as const;

/**
 * The assets that match, by location, custodian or category. All rows are computed for each page: there are no more of
 * them than records.
 *
 * @throws AppError VALIDATION_FAILED for `rollup` of custodians, which are not in each other
 */
export async function listReportRows(
  context: Context,
  { grouping, rollup, filter, page }: ListReportRows,
  { workspaceId }: Call,
): Promise<{ rows: Page<ReportRow>; currency: string }> {
  if (rollup && grouping === "custodian") {
    throw invalid([{ field: "rollup", message: "is only for locations and categories" }]);
  }
  const [{ currency }, groups, records] = await Promise.all([
    requireWorkspace(context, workspaceId),
    context.stores.reports.byField(workspaceId, fields[grouping], filter),
    context.stores.organisation.names(workspaceId, grouping),
  ]);
  const byId = new Map(records.map((record) => [record.id, record]));
  const figures = rollup ? rollUp(groups, (id) => byId.get(id)?.parentId) : rollUp(groups, () => undefined);
  const named = figures.map((row) => ({ ...row, name: byId.get(row.id ?? "")?.name }));
  const rows = pageOfRows(inOrderOfName(named), {
    list: `report:${grouping}`,
    workspaceId,
    filter: { ...filter, rollup },
    page,
    placeOf,
  });
  return { rows, currency };
}
