import type { Call } from "@asset-register/rpc";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../../context.ts";
import type { AssetFilter } from "../../domain/assets/asset.ts";
import { type RegisterReport, registerReport } from "../../domain/reports/report.ts";
import { listStatuses } from "../assets/statuses.ts";

/** Number and value of the assets that match. */
export async function getRegisterReport(
  context: Context,
  filter: AssetFilter,
  { workspaceId }: Call,
): Promise<{ report: RegisterReport; currency: string }> {
  const [{ currency }, groups, statuses] = await Promise.all([
    requireWorkspace(context, workspaceId),
    context.stores.reports.byStatus(workspaceId, filter),
    listStatuses(context, workspaceId),
  ]);
  return { report: registerReport(groups, statuses), currency };
}
