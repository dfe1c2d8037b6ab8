import { DepreciationMethod } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { DepreciationConvention } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { limits } from "@asset-register/proto/limits";
import Type from "typebox";
import { enumOf } from "../http/fields.ts";
import { like, nullable } from "../http/schemas.ts";
import { group, optional } from "../http/writable.ts";

/** For the depreciation of the assets of a category. */
export const categoryDepreciation = optional(
  group(
    {
      method: optional(enumOf(DepreciationMethod), { shown: nullable(like("straight_line")) }),
      useful_life_months: optional(
        Type.Integer({ minimum: 1, maximum: limits.usefulLifeMonths, examples: [36] }),
      ),
      salvage_percent: optional(
        Type.Number({
          minimum: 0,
          maximum: 100,
          description: "Percent of the cost, with at most two decimals",
          examples: [10],
        }),
        { shown: { description: undefined } },
      ),
      convention: optional(enumOf(DepreciationConvention), { shown: nullable(like("full_month")) }),
    },
    {
      description:
        "What assets of the category leave out, for their depreciation. Writing it needs the capability `finance`.",
    },
  ),
);
