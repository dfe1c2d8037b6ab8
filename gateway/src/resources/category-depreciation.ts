import { DepreciationMethod } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import {
  type CategoryDepreciation,
  CategoryDepreciationSchema,
  DepreciationConvention,
} from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { limits } from "@asset-register/proto/limits";
import { create } from "@bufbuild/protobuf";
import Type from "typebox";
import { enumOf } from "../http/fields.ts";
import { clearable, mergePatch } from "../http/merge-patch.ts";
import { requestMessage } from "../http/request-message.ts";
import { body, like, nullable } from "../http/schemas.ts";

const description =
  "What assets of the category leave out, for their depreciation. Writing it needs the capability `finance`.";

const fields = {
  method: enumOf(DepreciationMethod),
  useful_life_months: Type.Integer({ minimum: 1, maximum: limits.usefulLifeMonths, examples: [36] }),
  salvage_percent: Type.Number({
    minimum: 0,
    maximum: 100,
    description: "Percent of the cost, with at most two decimals",
    examples: [10],
  }),
  convention: enumOf(DepreciationConvention),
};

/** In responses. */
export const depreciationSchema = nullable(
  Type.Object(
    {
      method: nullable(like("straight_line")),
      useful_life_months: nullable(Type.Integer({ examples: [36] })),
      salvage_percent: nullable(Type.Number({ examples: [10] })),
      convention: nullable(like("full_month")),
    },
    { description },
  ),
);

/** In the body of a new category. */
export const newDepreciation = Type.Object(
  {
    method: Type.Optional(fields.method),
    useful_life_months: Type.Optional(fields.useful_life_months),
    salvage_percent: Type.Optional(fields.salvage_percent),
    convention: Type.Optional(fields.convention),
  },
  { description, additionalProperties: false },
);
const toMessage = requestMessage(CategoryDepreciationSchema, body(newDepreciation.properties));
export const toDepreciation = (input: Type.Static<typeof newDepreciation>): CategoryDepreciation =>
  create(CategoryDepreciationSchema, toMessage(input));

/** In a merge patch: its fields are merged, and each of them can be cleared. */
const patch = mergePatch(CategoryDepreciationSchema, {
  method: clearable(fields.method),
  useful_life_months: clearable(fields.useful_life_months),
  salvage_percent: clearable(fields.salvage_percent),
  convention: clearable(fields.convention),
});
export const depreciationPatch = clearable(
  Type.Object(patch.schema.properties, { description, additionalProperties: false }),
);

/** The message of a merge patch, and the paths of its fields in the mask of the category. */
export function depreciationUpdate(input: Type.Static<typeof depreciationPatch>) {
  if (input === null) return { depreciation: undefined, paths: ["depreciation"] };
  const { record, updateMask } = patch.toUpdate(input);
  return {
    depreciation: create(CategoryDepreciationSchema, record),
    paths: updateMask.paths.map((path) => `depreciation.${path}`),
  };
}
