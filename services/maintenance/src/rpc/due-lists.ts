import { DueListService } from "@asset-register/proto/assetregister/maintenance/v1/pm_schedule_pb";
import { type Implementation, implement, pageInfo, pageRequest } from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { decodeDays } from "../decode/pm-schedule.ts";
import { encodeDueRow } from "../encode/pm-schedule.ts";
import { listDue } from "../operations/schedules/list-due.ts";
import { viewDueRows } from "../operations/schedules/view-schedule.ts";

export function dueListService(context: Context): Implementation {
  const { stores } = context;
  return implement(DueListService, {
    async listDueRows({ pmScheduleId, page }, { workspaceId }) {
      requireFound(await stores.pmSchedules.get(workspaceId, pmScheduleId), "schedule");
      const found = await stores.dueRows.list(workspaceId, pmScheduleId, pageRequest(page));
      const views = await viewDueRows(context, workspaceId, found.items);
      return { dueRows: views.map(encodeDueRow), page: pageInfo(found) };
    },

    async listMaintenanceDue(request, { workspaceId }) {
      const kind = { calibration: false, days: decodeDays(request) };
      const found = await listDue(context, workspaceId, kind, pageRequest(request.page));
      return { dueRows: found.items.map(encodeDueRow), page: pageInfo(found) };
    },

    async listCalibrationsDue(request, { workspaceId }) {
      const kind = { calibration: true, days: decodeDays(request) };
      const found = await listDue(context, workspaceId, kind, pageRequest(request.page));
      return { dueRows: found.items.map(encodeDueRow), page: pageInfo(found) };
    },
  });
}
