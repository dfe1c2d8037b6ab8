import {
  GenerateStatus,
  type GenerateWorkOrdersResponse,
} from "@asset-register/proto/assetregister/maintenance/v1/pm_schedule_pb";
import { limits } from "@asset-register/proto/limits";
import { enumNames } from "@asset-register/rpc";
import Type from "typebox";
import { enumOf } from "../http/fields.ts";
import { required } from "../http/required.ts";
import { body, id, ids } from "../http/schemas.ts";
import { workOrder } from "./work-order.ts";

export const generateSchema = body(
  {
    asset_ids: Type.Optional({
      ...ids("ast", "Of a category: only these assets. Required for more than 500", limits.generatedOrders),
      minItems: 1,
    }),
  },
  { title: "GenerateWorkOrders" },
);

export const generatedSchema = Type.Object(
  {
    work_order: Type.Optional(workOrder.schema),
    created: Type.Optional(
      Type.Boolean({ description: "Of an asset: false if there was an unfinished order, which is returned" }),
    ),
    results: Type.Optional(
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
