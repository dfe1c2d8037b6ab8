import { eventually } from "@asset-register/harness";
import {
  type CalibrationSchema,
  CalibrationService,
} from "@asset-register/proto/assetregister/maintenance/v1/calibration_pb";
import {
  type MeterReadingSchema,
  MeterReadingService,
} from "@asset-register/proto/assetregister/maintenance/v1/meter_reading_pb";
import {
  DueListService,
  type DueRow,
  IntervalUnit,
  type PmSchedule,
  type PmScheduleSchema,
  PmScheduleService,
  PmScheduleStatus,
  ScheduleBasis,
} from "@asset-register/proto/assetregister/maintenance/v1/pm_schedule_pb";
import { WorkOrderStatus } from "@asset-register/proto/assetregister/maintenance/v1/work_order_pb";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { topics } from "@asset-register/proto/topics";
import { requireFound } from "@asset-register/runtime";
import { caller, type TestEvent } from "@asset-register/service-harness";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Maintenance, Workspace } from "./support.ts";

const { IN_PROGRESS, COMPLETED } = WorkOrderStatus;

/** A monthly schedule from January 31. */
export const monthly = {
  title: "Lubricate",
  intervalValue: 1,
  intervalUnit: IntervalUnit.MONTH,
  basis: ScheduleBasis.FIXED,
  anchorOn: "2026-01-31",
} as const;

/** An `organisation` event of a category, as register publishes it. */
export const categoryEvent = (
  workspaceId: string,
  id: string,
  sequence: number,
  { parentId, deleted = false }: { parentId?: string; deleted?: boolean } = {},
): TestEvent<typeof topics.organisation.schema> => ({
  ...{ topic: topics.organisation, workspaceId, subject: id, sequence, type: "organisation.updated" },
  message: {
    state: {
      ...{ id, kind: OrganisationKind.CATEGORY, name: "Presses", parentId, rev: sequence },
      ...(deleted && { deletedAt: timestampFromDate(new Date()) }),
    },
    change: { case: "updated", value: {} },
  },
});

/** Calls about the schedules of a workspace, by a user with the capabilities manage, edit and view. */
export function scheduleCalls(
  maintenance: Maintenance,
  { id: workspaceId }: Workspace,
  { ports }: Pick<Maintenance["app"], "ports"> = maintenance.app,
) {
  const schedules = maintenance.client(PmScheduleService, "gateway", { ports });
  const dueLists = maintenance.client(DueListService);
  const calibrations = maintenance.client(CalibrationService);
  const meters = maintenance.client(MeterReadingService);
  const { workOrders } = maintenance;
  const manager = caller.user(workspaceId, "manage", "edit", "view");
  const page = { page: 1, limit: 200 };

  const create = async (fields: MessageInitShape<typeof PmScheduleSchema>): Promise<PmSchedule> => {
    const pmSchedule = { ...monthly, ...fields };
    return requireFound((await schedules.createPmSchedule({ pmSchedule }, manager)).pmSchedule);
  };
  const read = async (id: string): Promise<PmSchedule> =>
    requireFound((await schedules.getPmSchedule({ id }, manager)).pmSchedule);
  const rows = async (pmScheduleId: string): Promise<DueRow[]> =>
    (await dueLists.listDueRows({ pmScheduleId, page }, manager)).dueRows;
  const generate = (id: string, assetIds: string[] = []) =>
    schedules.generateWorkOrders({ id, assetIds }, manager);

  return {
    ...{ schedules, dueLists, calibrations, meters, manager, create, read, rows, generate },

    change: async (
      id: string,
      fields: MessageInitShape<typeof PmScheduleSchema>,
      ...paths: string[]
    ): Promise<PmSchedule> =>
      requireFound(
        (await schedules.updatePmSchedule({ pmSchedule: { ...fields, id }, updateMask: { paths } }, manager))
          .pmSchedule,
      ),

    /** Generates the order of an asset's schedule and completes it. */
    async complete(id: string, completedOn?: string): Promise<string> {
      const order = requireFound((await generate(id)).workOrder);
      await workOrders.changeWorkOrderStatus({ id: order.id, status: IN_PROGRESS }, manager);
      await workOrders.changeWorkOrderStatus({ id: order.id, status: COMPLETED, completedOn }, manager);
      return order.id;
    },

    calibrate: async (fields: MessageInitShape<typeof CalibrationSchema>) =>
      requireFound((await calibrations.createCalibration({ calibration: fields }, manager)).calibration),

    readMeter: async (fields: MessageInitShape<typeof MeterReadingSchema>) =>
      requireFound((await meters.createMeterReading({ meterReading: fields }, manager)).meterReading),

    /** Waits until a schedule is no longer filling. */
    filled: (id: string): Promise<PmSchedule> =>
      eventually(async () => {
        const schedule = await read(id);
        if (schedule.status === PmScheduleStatus.FILLING) throw new Error("still filling");
        return schedule;
      }),
  };
}
