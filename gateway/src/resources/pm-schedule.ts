import {
  DueRowSchema,
  GenerateStatus,
  type GenerateWorkOrdersResponse,
  IntervalUnit,
  PmScheduleSchema,
  PmScheduleStatus,
  PmTemplateSchema,
  ScheduleBasis,
} from "@asset-register/proto/assetregister/maintenance/v1/pm_schedule_pb";
import {
  WorkOrderPriority,
  WorkOrderType,
} from "@asset-register/proto/assetregister/maintenance/v1/work_order_pb";
import { limits } from "@asset-register/proto/limits";
import { enumNames } from "@asset-register/rpc";
import Type from "typebox";
import { enumOf } from "../http/fields.ts";
import { clearable, mergePatch, withNested } from "../http/merge-patch.ts";
import { requestMessage } from "../http/request-message.ts";
import { required } from "../http/required.ts";
import { resource } from "../http/resource.ts";
import { body, exampleId, id, ids, instant, like, named, nullable, rev, unset } from "../http/schemas.ts";
import { workOrder } from "./work-order.ts";

const optional = Type.Optional;
const date = (description: string) => Type.String({ format: "date", description, examples: ["2026-01-31"] });
const text = Type.String({ maxLength: limits.description, examples: ["All bearings"] });
const type = { ...enumOf(WorkOrderType), description: "`calibration` makes it a calibration plan" };
const priority = enumOf(WorkOrderPriority);
const units = (description: string) => Type.Number({ description, examples: [500] });
const openFrom = date("`next_due_on` - `lead_days`");

export const pmSchedule = resource(PmScheduleSchema, "PmSchedule", {
  id: id("pms"),
  asset_id: nullable(id("ast")),
  category_id: unset(id("cat")),
  title: like("Lubricate"),
  interval_value: nullable(Type.Integer({ examples: [3] })),
  interval_unit: nullable(like("month")),
  meter_interval: nullable(units("Units of the meter")),
  basis: nullable(like("fixed")),
  anchor_on: nullable(date("The date from which the intervals count")),
  lead_days: nullable(Type.Integer({ examples: [7] })),
  ends_on: nullable(date("After this day there are no due dates")),
  template: Type.Object(
    {
      title: nullable(like("Lubricate the press")),
      type,
      priority,
      description: nullable(like("All bearings")),
      assigned_to: nullable(like(exampleId("usr"))),
    },
    { description: "The work orders that are generated" },
  ),
  status: enumOf(PmScheduleStatus, "active"),
  ended_reason: unset(like("asset_disposed")),
  progress: unset(
    Type.Object(
      { done: Type.Integer({ examples: [1000] }), total: Type.Integer({ examples: [10000] }) },
      { description: "While it is `filling`" },
    ),
  ),
  next_due_on: nullable(date("Of an asset's schedule")),
  next_due_meter: nullable(units("Of an asset's schedule: the reading at which it is due")),
  open_from: nullable({ ...openFrom, description: "Of an asset's schedule: `next_due_on` - `lead_days`" }),
  asset_disposed: Type.Boolean(),
  created_at: instant(),
  created_by: nullable(like(exampleId("usr"))),
  rev,
});

export const dueRow = resource(DueRowSchema, "DueRow", {
  id: id("pmd"),
  pm_schedule_id: id("pms"),
  schedule_title: like("Lubricate"),
  asset_id: id("ast"),
  asset_name: nullable(like("Conveyor 3")),
  next_due_on: nullable(date("In the time zone of the workspace")),
  next_due_meter: nullable(units("The reading at which it is due")),
  open_from: nullable(openFrom),
  last_completed_on: nullable(date("The last completion, or the last passed calibration")),
  last_completed_meter: nullable(units("The reading at the last completion")),
  work_order_id: nullable(id("wo", "The unfinished order that was generated")),
});

const fields = {
  interval_value: Type.Integer({ minimum: 1, maximum: limits.intervalValue, examples: [3] }),
  interval_unit: { ...enumOf(IntervalUnit), description: "Required with `interval_value`" },
  meter_interval: Type.Number({
    exclusiveMinimum: 0,
    maximum: limits.meterValue,
    description: "Units of the meter, at most 3 decimals. An interval, a meter interval or both are required",
    examples: [500],
  }),
  basis: {
    ...enumOf(ScheduleBasis),
    description:
      "`fixed` counts from the anchor, `floating` from the last completion. Required with an interval",
  },
  anchor_on: date("The date from which the intervals count. Today by default"),
  lead_days: Type.Integer({
    minimum: 0,
    maximum: limits.days,
    description: "Days before the due date that `open_from` shows",
    examples: [7],
  }),
  ends_on: date("After this day there are no due dates"),
};

const template = {
  title: { ...named("Lubricate the press"), description: "That of the schedule by default" },
  type: { ...type, description: `${type.description}. \`preventive\` by default` },
  priority: { ...priority, description: "`medium` by default" },
  description: text,
  assigned_to: id("usr", "A user of the workspace"),
};

export const newPmScheduleSchema = body(
  {
    asset_id: optional(id("ast", "Exactly one of `asset_id` and `category_id`")),
    category_id: optional(id("cat", "All assets of the category and of those below it")),
    title: named("Lubricate"),
    interval_value: optional(fields.interval_value),
    interval_unit: optional(fields.interval_unit),
    meter_interval: optional(fields.meter_interval),
    basis: optional(fields.basis),
    anchor_on: optional(fields.anchor_on),
    lead_days: optional(fields.lead_days),
    ends_on: optional(fields.ends_on),
    template: optional(
      body({
        title: optional(template.title),
        type: optional(template.type),
        priority: optional(template.priority),
        description: optional(template.description),
        assigned_to: optional(template.assigned_to),
      }),
    ),
  },
  {
    title: "NewPmSchedule",
    examples: [
      {
        ...{ asset_id: exampleId("ast"), title: "Lubricate", interval_value: 3, interval_unit: "month" },
        ...{ basis: "fixed", anchor_on: "2026-01-31", lead_days: 7 },
      },
    ],
  },
);
export const toNewPmSchedule = requestMessage(PmScheduleSchema, newPmScheduleSchema);

const templatePatch = mergePatch(PmTemplateSchema, {
  title: clearable(template.title),
  type: template.type,
  priority: template.priority,
  description: clearable(template.description),
  assigned_to: clearable(template.assigned_to),
});

const ownPatch = mergePatch(PmScheduleSchema, {
  title: named("Lubricate"),
  interval_value: clearable(fields.interval_value),
  interval_unit: clearable(fields.interval_unit),
  meter_interval: clearable(fields.meter_interval),
  basis: clearable(fields.basis),
  anchor_on: fields.anchor_on,
  lead_days: clearable(fields.lead_days),
  ends_on: clearable(fields.ends_on),
});
export const pmSchedulePatch = withNested(ownPatch, "template", templatePatch);

export const generateSchema = body(
  {
    asset_ids: optional({
      ...ids("ast", "Of a category: only these assets. Required for more than 500", limits.generatedOrders),
      minItems: 1,
    }),
  },
  { title: "GenerateWorkOrders" },
);

export const generatedSchema = Type.Object(
  {
    work_order: optional(workOrder.schema),
    created: optional(
      Type.Boolean({ description: "Of an asset: false if there was an unfinished order, which is returned" }),
    ),
    results: optional(
      Type.Array(
        Type.Object({
          index: Type.Integer({ description: "In `asset_ids`, if there are any" }),
          status: enumOf(GenerateStatus),
          asset_id: id("ast"),
          work_order_id: id("wo"),
        }),
        {
          description:
            "Of a category: in order of `asset_ids`, else of the assets. An asset that is named again is `existing`",
        },
      ),
    ),
  },
  { title: "GeneratedWorkOrders" },
);

const statusNames = enumNames(GenerateStatus);

export function presentGenerated(
  { workOrder: order, created, results }: GenerateWorkOrdersResponse,
  currencyDigits: number,
): Type.Static<typeof generatedSchema> {
  if (order !== undefined) return { work_order: workOrder.present(order, currencyDigits), created };
  return {
    results: results.map(({ index, status, assetId, workOrderId }) => ({
      ...{
        index,
        status: required(statusNames.decode(status)),
        asset_id: assetId,
        work_order_id: workOrderId,
      },
    })),
  };
}
