import {
  ChangeWorkOrderStatusRequestSchema,
  WorkOrderPriority,
  WorkOrderSchema,
  WorkOrderStatus,
  WorkOrderType,
} from "@asset-register/proto/assetregister/maintenance/v1/work_order_pb";
import { limits } from "@asset-register/proto/limits";
import Type from "typebox";
import { newBody } from "../http/bodies.ts";
import { enumOf } from "../http/fields.ts";
import { mergePatch } from "../http/merge-patch.ts";
import { requestMessage } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import {
  body,
  exampleId,
  id,
  instant,
  like,
  money,
  named,
  nullable,
  rev,
  textOf,
  unset,
} from "../http/schemas.ts";
import { defaulted, fixed, listOf, optional, required } from "../http/writable.ts";
import { newCalibrationSchema } from "./calibration.ts";

const status = enumOf(WorkOrderStatus);
const amount = (description: string, example: number) => Type.Number({ description, examples: [example] });
const date = (description: string) => Type.String({ format: "date", description, examples: ["2026-01-31"] });
const minutes = (description: string, example = 50) => Type.Integer({ description, examples: [example] });

export const workOrder = resource(WorkOrderSchema, "WorkOrder", {
  id: id("wo"),
  asset_id: fixed(required(id("ast"))),
  asset_name: nullable({ ...like("Conveyor 3"), description: "As the asset is named now" }),
  asset_disposed: Type.Boolean(),
  title: required(named("Replace the belt")),
  type: defaulted(
    { ...enumOf(WorkOrderType), description: "`corrective` by default" },
    { shown: { description: undefined } },
  ),
  priority: defaulted(
    { ...enumOf(WorkOrderPriority), description: "`medium` by default" },
    { shown: { description: undefined } },
  ),
  status,
  description: optional(textOf(limits.description, "The belt slips under load")),
  assigned_to: optional(id("usr", "A user of the workspace"), { shown: nullable(like(exampleId("usr"))) }),
  due_at: optional(instant("RFC 3339 with a time zone"), { shown: nullable(instant()) }),
  pm_schedule_id: nullable(id("pms", "The schedule that it was generated from")),
  pm_due_on: nullable(date("The due date that it was generated for")),
  asset_down: defaulted(Type.Boolean({ description: "Whether the asset is down while it is worked on" }), {
    shown: { description: "The asset is down from its start until its end" },
  }),
  labour_minutes: optional(Type.Integer({ minimum: 0, maximum: limits.labourMinutes, examples: [50] }), {
    shown: { description: "Labour" },
  }),
  labour_rate: optional({ ...money, description: "An hour" }, { shown: { examples: [40] } }),
  parts: defaulted(
    listOf(
      {
        name: required(named("Belt")),
        quantity: required(
          Type.Number({
            exclusiveMinimum: 0,
            maximum: limits.quantity,
            description: "At most 3 decimals",
            examples: [1.5],
          }),
          { shown: { description: undefined } },
        ),
        unit_cost: optional(money, { shown: nullable(amount("Of one", 7.5)) }),
      },
      { maxItems: limits.parts },
    ),
  ),
  other_cost: optional(money, { shown: nullable(amount("Travel, for example", 10)) }),
  total_cost: nullable(amount("Labour, parts and other cost, each rounded", 54.58)),
  notes: optional(textOf(limits.description, "Ordered a spare one")),
  started_at: unset(instant("The first start")),
  completed_at: unset(instant()),
  completed_on: unset(date("In the time zone of the workspace")),
  downtime_minutes: minutes("How long this order kept the asset down, until now", 90),
  status_history: Type.Array(
    Type.Object({
      status,
      at: instant(),
      by: nullable(like(exampleId("usr"))),
      note: nullable(like("Waiting for the part")),
    }),
    { description: "On single reads, the newest 200; empty in lists" },
  ),
  created_at: instant(),
  created_by: nullable(like(exampleId("usr"))),
  rev,
});

export const newWorkOrderSchema = newBody(workOrder, {
  title: "NewWorkOrder",
  examples: [{ asset_id: exampleId("ast"), title: "Replace the belt", priority: "high", asset_down: true }],
});
export const toNewWorkOrder = requestMessage(WorkOrderSchema, newWorkOrderSchema);
export const workOrderPatch = mergePatch(workOrder);

/** A completed order counts for its own plan. */
const { pm_schedule_id: _, ...calibrationResult } = newCalibrationSchema.properties;

export const newWorkOrderStatusSchema = body(
  {
    status,
    note: Type.Optional(Type.String({ maxLength: limits.note, examples: ["Waiting for the part"] })),
    completed_on: Type.Optional(date("Of a completion. Today by default, and not later")),
    calibration: Type.Optional(
      body(calibrationResult, {
        title: "CalibrationOfOrder",
        description: "Required to complete an order of type `calibration`, refused otherwise",
      }),
    ),
  },
  { title: "NewWorkOrderStatus", examples: [{ status: "in_progress", note: "Started" }] },
);
export const toNewWorkOrderStatus = requestMessage(
  ChangeWorkOrderStatusRequestSchema,
  newWorkOrderStatusSchema,
);
