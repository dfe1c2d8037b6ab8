import type { ChangeFinanceFieldsRequest } from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import { limits } from "@asset-register/proto/limits";
import { field, parse } from "@asset-register/rpc";
import { z } from "zod";
import { depreciationMethodNames } from "../encode/asset.ts";
import type { ChangeFinanceFields } from "../operations/assets/change-finance-fields.ts";
import { calendarDate } from "./asset.ts";
import { causeId } from "./count.ts";

const change = z.object({
  workspaceId: field.id(),
  assetId: field.id(),
  causeId,
  cost: field.optionalAmount(),
  salvageValue: field.optionalAmount(),
  usefulLifeMonths: field.integer({ min: 1, max: limits.usefulLifeMonths }).optional(),
  inServiceDate: calendarDate.optional(),
  depreciationMethod: field.optionalEnum(depreciationMethodNames),
});

export function decodeChangeFinanceFields(request: ChangeFinanceFieldsRequest): ChangeFinanceFields {
  const { workspaceId, assetId, causeId, ...fields } = parse(change, request);
  const currencies = [
    { field: "cost", currency: request.cost?.currency },
    { field: "salvage_value", currency: request.salvageValue?.currency },
  ];
  return { workspaceId, assetId, causeId, fields, currencies };
}
