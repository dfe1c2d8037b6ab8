import { CalibrationOutcome } from "@asset-register/proto/assetregister/maintenance/v1/calibration_pb";
import {
  ChangeWorkOrderStatusRequestSchema,
  WorkOrderPriority,
  WorkOrderSchema,
  WorkOrderStatus,
  WorkOrderType,
} from "@asset-register/proto/assetregister/maintenance/v1/work_order_pb";
import { limits } from "@asset-register/proto/limits";
import Type from "typebox";
import { enumOf } from "../http/fields.ts";
import { clearable, mergePatch } from "../http/merge-patch.ts";
import { requestMessage } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import { body, exampleId, id, instant, like, money, named, nullable, rev, unset } from "../http/schemas.ts";

const optional = Type.Optional;
const type = enumOf(WorkOrderType);
const priority = enumOf(WorkOrderPriority);
const status = enumOf(WorkOrderStatus);
const amount = (description: string, example: number) => Type.Number({ description, examples: [example] });
const date = (description: string) => Type.String({ format: "date", description, examples: ["2026-01-31"] });
const minutes = (description: string, example = 50) => Type.Integer({ description, examples: [example] });

export const workOrder = resource(WorkOrderSchema, "WorkOrder", {
  id: id("wo"),
  asset_id: id("ast"),
  asset_name: nullable({ ...like("Conveyor 3"), description: "As the asset is named now" }),
  asset_disposed: Type.Boolean(),
  title: like("Replace the belt"),
  type,
  priority,
  status,
  description: nullable(like("The belt slips under load")),
  assigned_to: nullable(like(exampleId("usr"))),
  due_at: nullable(instant()),
  pm_schedule_id: nullable(id("pms", "The schedule that it was generated from")),
  pm_due_on: nullable(date("The due date that it was generated for")),
  asset_down: Type.Boolean({ description: "The asset is down from its start until its end" }),
  labour_minutes: nullable(minutes("Labour")),
  labour_rate: nullable(amount("An hour", 40)),
  parts: Type.Array(
    Type.Object({
      name: like("Belt"),
      quantity: Type.Number({ examples: [1.5] }),
      unit_cost: nullable(amount("Of one", 7.5)),
    }),
  ),
  other_cost: nullable(amount("Travel, for example", 10)),
  total_cost: nullable(amount("Labour, parts and other cost, each rounded", 54.58)),
  notes: nullable(like("Ordered a spare one")),
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

const text = (example: string) => Type.String({ maxLength: limits.description, examples: [example] });

const writable = {
  title: named("Replace the belt"),
  type: { ...type, description: "`corrective` by default" },
  priority: { ...priority, description: "`medium` by default" },
  asset_down: Type.Boolean({ description: "Whether the asset is down while it is worked on" }),
};
const emptiable = {
  description: text("The belt slips under load"),
  assigned_to: id("usr", "A user of the workspace"),
  due_at: instant("RFC 3339 with a time zone"),
  labour_minutes: Type.Integer({ minimum: 0, maximum: limits.labourMinutes, examples: [50] }),
  labour_rate: { ...money, description: "An hour" },
  parts: Type.Array(
    body({
      name: named("Belt"),
      quantity: Type.Number({
        exclusiveMinimum: 0,
        maximum: limits.quantity,
        description: "At most 3 decimals",
        examples: [1.5],
      }),
      unit_cost: optional(money),
    }),
    { maxItems: limits.parts },
  ),
  other_cost: money,
  notes: text("Ordered a spare one"),
};

export const newWorkOrderSchema = body(
  {
    asset_id: id("ast"),
    title: writable.title,
    type: optional(writable.type),
    priority: optional(writable.priority),
    asset_down: optional(writable.asset_down),
    description: optional(emptiable.description),
    assigned_to: optional(emptiable.assigned_to),
    due_at: optional(emptiable.due_at),
    labour_minutes: optional(emptiable.labour_minutes),
    labour_rate: optional(emptiable.labour_rate),
    parts: optional(emptiable.parts),
    other_cost: optional(emptiable.other_cost),
    notes: optional(emptiable.notes),
  },
  {
    title: "NewWorkOrder",
    examples: [{ asset_id: exampleId("ast"), title: "Replace the belt", priority: "high", asset_down: true }],
  },
);
export const toNewWorkOrder = requestMessage(WorkOrderSchema, newWorkOrderSchema);

export const workOrderPatch = mergePatch(WorkOrderSchema, {
  ...writable,
  description: clearable(emptiable.description),
  assigned_to: clearable(emptiable.assigned_to),
  due_at: clearable(emptiable.due_at),
  labour_minutes: clearable(emptiable.labour_minutes),
  labour_rate: clearable(emptiable.labour_rate),
  parts: emptiable.parts,
  other_cost: clearable(emptiable.other_cost),
  notes: clearable(emptiable.notes),
});

/** What a calibration has found. */
export const calibrationResult = {
  result: enumOf(CalibrationOutcome),
  performed_on: optional(date("Not later than today")),
  performed_by: optional(named("Ada Byron")),
  measured: optional(
    Type.Array(
      body({
        name: named("Pressure"),
        value: Type.Number({ examples: [2.01] }),
        unit: optional(Type.String({ maxLength: limits.code, examples: ["bar"] })),
        tolerance: optional(Type.Number({ description: "Greatest accepted deviation", examples: [0.05] })),
      }),
      { maxItems: limits.measured },
    ),
  ),
  certificate_attachment_id: optional(id("att", "An attachment of the asset")),
};

export const newWorkOrderStatusSchema = body(
  {
    status,
    note: optional(Type.String({ maxLength: limits.note, examples: ["Waiting for the part"] })),
    completed_on: optional(date("Of a completion. Today by default, and not later")),
    calibration: optional(
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
