import { Book } from "@asset-register/proto/assetregister/finance/v1/book_pb";
import {
  DepreciationProfileSchema,
  ProfileChangeSchema,
  ProfileFieldsSchema,
  type SaveProfileRequestSchema,
} from "@asset-register/proto/assetregister/finance/v1/depreciation_profile_pb";
import { DepreciationMethod } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { DepreciationConvention } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { limits } from "@asset-register/proto/limits";
import { enumNames } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import Type, { type TSchema } from "typebox";
import { newBody } from "../http/bodies.ts";
import { enumOf } from "../http/fields.ts";
import { type Currency, requestMessage } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import { exampleId, id, instant, like, money, nullable, rev, unset } from "../http/schemas.ts";
import { defaulted, newProperties, optional, shownProperties } from "../http/writable.ts";

const MACRS_CLASSES = ["3y", "5y", "7y", "10y", "15y", "20y", "39y"] as const;

const date = (description: string, example = "2026-01-31") =>
  Type.String({ format: "date", description, examples: [example] });
const amount = (description: string, example: number) => Type.Number({ description, examples: [example] });

const life = Type.Integer({
  minimum: 1,
  maximum: limits.usefulLifeMonths,
  description: "The total life from `in_service_date`. For `macrs` it is ignored",
  examples: [36],
});
const heldForSale = date("No charge from this day on", "2026-06-01");

/** A field that a profile need not have. Its limits are part of its meaning, so responses show them. */
const optionalOf = <S extends TSchema & { type: string }>(schema: S) =>
  optional(schema, { shown: unset(schema) });

/** The fields that a caller writes. */
const profileFields = {
  method: defaulted(enumOf(DepreciationMethod)),
  convention: defaulted(
    {
      ...enumOf(DepreciationConvention),
      description: "`full_month` by default; for `macrs` `half_year`, with 39y `mid_month`",
    },
    { shown: { description: undefined } },
  ),
  cost: defaulted(money, { shown: amount("In major units", 1249.9) }),
  salvage: defaulted(money, { shown: amount("In major units", 100) }),
  life_months: optional(life, { shown: nullable(life) }),
  in_service_date: defaulted(date("The first day in service", "2026-01-01")),
  factor: optionalOf(Type.Number({ description: "Of `declining_balance`: 2, 1.5 or 1.25", examples: [2] })),
  rate: optionalOf(
    Type.Number({
      description: "Of `declining_balance`, in place of `factor`: percent a year, with at most 4 decimals",
      examples: [33.3333],
    }),
  ),
  switch_to_sl: optionalOf(
    Type.Boolean({ description: "Of `declining_balance`: straight line as soon as that is not less" }),
  ),
  macrs_class: optional(Type.Enum([...MACRS_CLASSES], { description: "Of `macrs`" }), {
    shown: unset(like("5y")),
  }),
  total_units: optionalOf(
    Type.Number({ description: "Of `units_of_production`, with at most 3 decimals", examples: [250_000] }),
  ),
  opening_accumulated: defaulted(
    { ...money, description: "Charged elsewhere before `opening_on`" },
    { shown: amount("Charged elsewhere before", 0) },
  ),
  opening_on: optionalOf(date("The first day that is not charged elsewhere", "2026-01-01")),
  held_for_sale_on: optional(
    nullable({ ...heldForSale, description: "No charge from this day on; null ends it" }),
    { shown: unset(heldForSale) },
  ),
};

/** The fields of a change. The others did not change; null was cleared. */
const { method, convention, cost, salvage } = shownProperties(profileFields);
const changedFields = {
  ...newProperties(profileFields),
  ...{ method, convention, cost, salvage },
  opening_accumulated: amount("Charged elsewhere before", 300),
  held_for_sale_on: nullable(heldForSale),
  impairment: Type.Object({ amount: amount("The loss of value", 200), on: date("Its day") }),
};
const fields = resource(ProfileFieldsSchema, "ChangedProfileFields", changedFields);

const change = resource(
  ProfileChangeSchema,
  "ProfileChange",
  {
    id: like(exampleId("chg")),
    fields: Type.Partial(Type.Object(changedFields), {
      description: "The new values of the changed fields; null was cleared",
      examples: [{ life_months: 48 }],
    }),
    effective_on: date("The first day of the first month that uses it", "2026-02-01"),
    by: nullable(like(exampleId("usr"))),
    at: instant(),
  },
  {
    fields: ({ fields: message }, digits) => {
      if (message === undefined) return {};
      const given = Object.entries(fields.present(message, digits)).filter(([, value]) => value !== null);
      return { ...Object.fromEntries(given), ...(message.endHeldForSale && { held_for_sale_on: null }) };
    },
  },
);

export const depreciationProfile = resource(
  DepreciationProfileSchema,
  "DepreciationProfile",
  {
    id: id("prf"),
    asset_id: id("ast"),
    book: enumOf(Book),
    ...profileFields,
    fiscal_year_start: Type.Integer({
      description: "The month in which fiscal years begin, as of the day the profile was made",
      examples: [1],
    }),
    asset_rev: nullable(
      Type.Integer({
        description: "Of book `book`: the revision of the asset that was applied last",
        examples: [3],
      }),
    ),
    changes: Type.Array(change.schema, { description: "Oldest first; the first one made the profile" }),
    created_at: instant(),
    created_by: nullable(like(exampleId("usr"))),
    updated_at: instant(),
    rev,
  },
  { changes: ({ changes }, digits) => changes.map((one) => change.present(one, digits)) },
);

export const newProfileSchema = newBody(
  {
    fields: {
      book: defaulted({ ...enumOf(Book), description: "`book` by default" }),
      ...profileFields,
      impairment: defaulted(
        Type.Object(
          { amount: money, on: date("Its day") },
          { additionalProperties: false, description: "A loss of value, in the change of a profile" },
        ),
      ),
      effective_on: defaulted(
        date(
          "Of the change of a profile: the first day of the first month that uses it. By default the first one that is not posted",
          "2026-02-01",
        ),
      ),
    },
  },
  {
    title: "NewDepreciationProfile",
    examples: [
      {
        book: "book",
        method: "straight_line",
        cost: 1249.9,
        life_months: 36,
        in_service_date: "2026-01-01",
      },
    ],
  },
);

const toFields = requestMessage(
  ProfileFieldsSchema,
  newProfileSchema,
  "book",
  "held_for_sale_on",
  "effective_on",
);
const books = enumNames(Book);

type Input = Type.Static<typeof newProfileSchema>;

/** The profile of an asset. A field that is left out stays as it is. */
export function toSaveProfile(
  assetId: string,
  input: Input,
  currency: Currency,
): MessageInitShape<typeof SaveProfileRequestSchema> {
  const { book, held_for_sale_on: heldForSaleOn, effective_on: effectiveOn } = input;
  return {
    ...{ assetId, effectiveOn, book: books.encode(book) },
    fields: {
      ...toFields(input, currency),
      ...(heldForSaleOn === null ? { endHeldForSale: true } : { heldForSaleOn }),
    },
  };
}
