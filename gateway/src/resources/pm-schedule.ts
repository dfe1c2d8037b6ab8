import {
  DueRowSchema,
  IntervalUnit,
  PmScheduleSchema,
  PmScheduleStatus,
  ScheduleBasis,
} from "@asset-register/proto/assetregister/maintenance/v1/pm_schedule_pb";
import {
  WorkOrderPriority,
  WorkOrderType,
} from "@asset-register/proto/assetregister/maintenance/v1/work_order_pb";
import { limits } from "@asset-register/proto/limits";
import Type from "typebox";
import { newBody } from "../http/bodies.ts";
import { enumOf } from "../http/fields.ts";
import { mergePatch } from "../http/merge-patch.ts";
import { requestMessage } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import { exampleId, id, instant, like, named, nullable, rev, textOf, unset } from "../http/schemas.ts";
import { defaulted, fixed, group, optional, required } from "../http/writable.ts";

const date = (description: string) => Type.String({ format: "date", description, examples: ["2026-01-31"] });
const CALIBRATION = "`calibration` makes it a calibration plan";
const units = (description: string) => Type.Number({ description, examples: [500] });
const openFrom = date("`next_due_on` - `lead_days`");

export const pmSchedule = resource(PmScheduleSchema, "PmSchedule", {
  id: id("pms"),
  asset_id: fixed(
    optional(id("ast", "Exactly one of `asset_id` and `category_id`"), { shown: nullable(id("ast")) }),
  ),
  category_id: fixed(
    optional(id("cat", "All assets of the category and of those below it"), { shown: unset(id("cat")) }),
  ),
  title: required(named("Lubricate")),
  interval_value: optional(Type.Integer({ minimum: 1, maximum: limits.intervalValue, examples: [3] })),
  interval_unit: optional(
    { ...enumOf(IntervalUnit), description: "Required with `interval_value`" },
    { shown: nullable(like("month")) },
  ),
  meter_interval: optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: limits.meterValue,
      description:
        "Units of the meter, at most 3 decimals. An interval, a meter interval or both are required",
      examples: [500],
    }),
    { shown: { description: "Units of the meter" } },
  ),
  basis: optional(
    {
      ...enumOf(ScheduleBasis),
      description:
        "`fixed` counts from the anchor, `floating` from the last completion. Required with an interval",
    },
    { shown: nullable(like("fixed")) },
  ),
  anchor_on: defaulted(date("The date from which the intervals count. Today by default"), {
    shown: nullable(date("The date from which the intervals count")),
  }),
  lead_days: optional(
    Type.Integer({
      minimum: 0,
      maximum: limits.days,
      description: "Days before the due date that `open_from` shows",
      examples: [7],
    }),
    { shown: { description: undefined } },
  ),
  ends_on: optional(date("After this day there are no due dates")),
  template: defaulted(
    group({
      title: optional(
        { ...named("Lubricate the press"), description: "That of the schedule by default" },
        { shown: { description: undefined } },
      ),
      type: defaulted(
        { ...enumOf(WorkOrderType), description: `${CALIBRATION}. \`preventive\` by default` },
        { shown: { description: CALIBRATION } },
      ),
      priority: defaulted(
        { ...enumOf(WorkOrderPriority), description: "`medium` by default" },
        { shown: { description: undefined } },
      ),
      description: optional(textOf(limits.description, "All bearings")),
      assigned_to: optional(id("usr", "A user of the workspace"), {
        shown: nullable(like(exampleId("usr"))),
      }),
    }),
    { shown: { description: "The work orders that are generated" } },
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

export const newPmScheduleSchema = newBody(pmSchedule, {
  title: "NewPmSchedule",
  examples: [
    {
      ...{ asset_id: exampleId("ast"), title: "Lubricate", interval_value: 3, interval_unit: "month" },
      ...{ basis: "fixed", anchor_on: "2026-01-31", lead_days: 7 },
    },
  ],
});
export const toNewPmSchedule = requestMessage(PmScheduleSchema, newPmScheduleSchema);
export const pmSchedulePatch = mergePatch(pmSchedule);
