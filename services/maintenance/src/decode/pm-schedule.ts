import type {
  CreatePmScheduleRequest,
  DeletePmScheduleRequest,
  GenerateWorkOrdersRequest,
  UpdatePmScheduleRequest,
} from "@asset-register/proto/assetregister/maintenance/v1/pm_schedule_pb";
import { limits } from "@asset-register/proto/limits";
import { field, parse, parsePatch } from "@asset-register/rpc";
import { z } from "zod";
import { intervalUnitNames, scheduleBasisNames } from "../encode/pm-schedule.ts";
import { workOrderPriorityNames, workOrderTypeNames } from "../encode/work-order.ts";
import type { NewPmSchedule } from "../operations/schedules/create-schedule.ts";
import type { DeletePmSchedule } from "../operations/schedules/delete-schedule.ts";
import type { GenerateWorkOrders } from "../operations/schedules/generate-work-orders.ts";
import type { UpdatePmSchedule } from "../operations/schedules/update-schedule.ts";
import { calendarDate } from "./calendar-date.ts";
import { thousandths } from "./thousandths.ts";

const template = z.object({
  title: field.optionalText(limits.name),
  type: field.optionalEnum(workOrderTypeNames).transform((type) => type ?? "preventive"),
  priority: field.optionalEnum(workOrderPriorityNames).transform((priority) => priority ?? "medium"),
  description: field.optionalText(limits.description),
  assignedTo: field.optionalId(),
});

const defaultTemplate = { type: "preventive", priority: "medium" } as const;

/** The fields of a change. */
const changeable = z.object({
  title: field.text(limits.name),
  intervalValue: field.integer({ min: 1, max: limits.intervalValue }).optional(),
  intervalUnit: field.optionalEnum(intervalUnitNames),
  meterInterval: thousandths.positive("must be more than 0").optional(),
  basis: field.optionalEnum(scheduleBasisNames),
  anchorOn: calendarDate.optional(),
  leadDays: field.integer({ max: limits.days }).optional(),
  endsOn: calendarDate.optional(),
  template: template.optional().transform((given) => given ?? defaultTemplate),
});

const newSchedule = changeable
  .extend({ assetId: field.optionalId(), categoryId: field.optionalId() })
  .superRefine(({ assetId, categoryId }, { addIssue }) => {
    if ((assetId === undefined) !== (categoryId === undefined)) return;
    const message = "exactly one of asset_id and category_id is required";
    addIssue({ code: "custom", path: [assetId === undefined ? "assetId" : "categoryId"], message });
  });

export const decodeCreatePmSchedule = ({ pmSchedule }: CreatePmScheduleRequest): NewPmSchedule =>
  parse(newSchedule, pmSchedule ?? {});

const target = z.object({ id: field.id(), ifRevIn: z.array(z.number()) });

export function decodeUpdatePmSchedule({
  pmSchedule,
  updateMask,
  ifRevIn,
}: UpdatePmScheduleRequest): UpdatePmSchedule {
  const paths = updateMask?.paths.filter((path) => !path.startsWith("template.")) ?? [];
  return {
    ...parse(target, { id: pmSchedule?.id, ifRevIn }),
    change: parsePatch(changeable, pmSchedule, { paths }),
    template: parsePatch(template, pmSchedule?.template, updateMask, "template"),
  };
}

export const decodeDeletePmSchedule = (request: DeletePmScheduleRequest): DeletePmSchedule =>
  parse(target, request);

const generate = target.extend({ assetIds: field.ids(limits.generatedOrders) });

export const decodeGenerate = (request: GenerateWorkOrdersRequest): GenerateWorkOrders =>
  parse(generate, request);

const days = z
  .number()
  .max(limits.days, `must be at most ${limits.days}`)
  .optional()
  .transform((given) => given ?? 30);

/** Within how many days something is due. */
export const decodeDays = (request: { days?: number | undefined }): number =>
  parse(z.object({ days }), request).days;
