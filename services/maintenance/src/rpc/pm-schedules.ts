import { PmScheduleService } from "@asset-register/proto/assetregister/maintenance/v1/pm_schedule_pb";
import { command, type Implementation, implement, pageInfo, pageRequest } from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import {
  decodeCreatePmSchedule,
  decodeDeletePmSchedule,
  decodeGenerate,
  decodeUpdatePmSchedule,
} from "../decode/pm-schedule.ts";
import type { PmScheduleView } from "../domain/schedules/schedule-view.ts";
import { encodeGenerated, encodePmSchedule } from "../encode/pm-schedule.ts";
import { createSchedule } from "../operations/schedules/create-schedule.ts";
import { deleteSchedule } from "../operations/schedules/delete-schedule.ts";
import { generateWorkOrders } from "../operations/schedules/generate-work-orders.ts";
import { updateSchedule } from "../operations/schedules/update-schedule.ts";
import { viewSchedule, viewSchedules } from "../operations/schedules/view-schedule.ts";

const encode = (view: PmScheduleView) => ({ pmSchedule: encodePmSchedule(view) });

export function pmScheduleService(context: Context): Implementation {
  const { stores } = context;
  return implement(PmScheduleService, {
    createPmSchedule: command(
      decodeCreatePmSchedule,
      (input, call) => createSchedule(context, input, call),
      encode,
    ),
    updatePmSchedule: command(
      decodeUpdatePmSchedule,
      (input, call) => updateSchedule(context, input, call),
      encode,
    ),
    deletePmSchedule: command(
      decodeDeletePmSchedule,
      (input, call) => deleteSchedule(context, input, call),
      () => ({}),
    ),
    generateWorkOrders: command(
      decodeGenerate,
      (input, call) => generateWorkOrders(context, input, call),
      encodeGenerated,
    ),

    async getPmSchedule({ id }, { workspaceId }) {
      const schedule = requireFound(await stores.pmSchedules.get(workspaceId, id), "schedule");
      return encode(await viewSchedule(context, schedule));
    },

    async listPmSchedules({ page }, { workspaceId }) {
      const found = await stores.pmSchedules.list(workspaceId, pageRequest(page));
      const views = await viewSchedules(context, workspaceId, found.items);
      return { pmSchedules: views.map(encodePmSchedule), page: pageInfo(found) };
    },
  });
}
