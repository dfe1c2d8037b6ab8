import {
  AssetPositionSchema,
  AssetSchema,
  type CreateAssetRequestSchema,
  DepreciationMethod,
  DisposalMethod,
  DisposalSchema,
} from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { TagType } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import { limits } from "@asset-register/proto/limits";
import { moneyNumber } from "@asset-register/runtime";
import type { MessageInitShape } from "@bufbuild/protobuf";
import Type from "typebox";
import { newBody } from "../http/bodies.ts";
import { enumOf } from "../http/fields.ts";
import { mergePatch } from "../http/merge-patch.ts";
import { type Currency, requestMessage } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import { exampleId, id, instant, like, money, named, nullable, rev, textOf, unset } from "../http/schemas.ts";
import { defaulted, optional, required } from "../http/writable.ts";
import { checkout } from "./checkout.ts";
import { customValues, customValuesOfAsset } from "./custom-field.ts";

const reference = (prefix: string) => nullable(id(prefix));

const disposal = resource(DisposalSchema, "DisposalRecord", {
  at: nullable(instant()),
  date: like("2026-01-31"),
  method: enumOf(DisposalMethod),
  proceeds: nullable(Type.Number()),
  note: nullable(like("Sold to a dealer")),
  by: nullable(like(exampleId("usr"))),
});
const disposed = Type.Object(
  {
    ...disposal.schema.properties,
    gain_loss: nullable(
      Type.Number({
        description: "Proceeds less net book value; null until finance has posted the disposal",
        examples: [-120.5],
      }),
    ),
  },
  { title: "Disposal" },
);

const image = Type.Object(
  {
    content_type: like("image/png"),
    bytes: Type.Integer({ minimum: 0, examples: [184_213] }),
    sha256: Type.String({ description: "Of the content, in hex", examples: ["9f86d081884c7d65"] }),
    updated_at: instant(),
  },
  { title: "Image" },
);

/** A line of text. Responses have its example. */
const line = (example: string) =>
  optional(Type.String({ maxLength: limits.line }), { shown: { examples: [example] } });
const amount = optional(money, { shown: nullable(Type.Number()) });

export const asset = resource(
  AssetSchema,
  "Asset",
  {
    id: id("ast"),
    name: required(named("ThinkPad X1")),
    number: defaulted(
      Type.String({
        minLength: 1,
        maxLength: limits.code,
        description: "Without it the asset gets the next number.",
      }),
      { shown: like("AST-000042"), patched: { description: undefined, examples: ["AST-000042"] } },
    ),
    description: optional(textOf(limits.description, "With charger"), {
      shown: { examples: ["14 inch, 32 GB"] },
    }),
    category_id: optional(id("cat")),
    department_id: optional(id("dep")),
    property_id: optional(id("prp")),
    building_id: optional(id("bld")),
    floor_id: optional(id("flr")),
    location_id: optional(id("loc")),
    custodian_id: optional(id("cus")),
    status_id: optional(
      Type.String({
        maxLength: limits.id,
        description: "Ignored. The status has an operation of its own.",
        examples: [exampleId("sta")],
      }),
      { shown: nullable(id("sta")) },
    ),
    serial_number: line("PF-3XK7A2"),
    manufacturer: line("Lenovo"),
    model: line("X1 Carbon Gen 12"),
    cost: amount,
    salvage_value: amount,
    useful_life_months: optional(Type.Integer({ minimum: 1, maximum: limits.usefulLifeMonths })),
    in_service_date: optional(Type.String({ format: "date" }), { shown: nullable(like("2026-01-31")) }),
    depreciation_method: optional(enumOf(DepreciationMethod), { shown: nullable(like("straight_line")) }),
    supplier: line("Example Supplies Ltd"),
    purchase_order: line("PO-2026-0117"),
    invoice_number: line("INV-88213"),
    custom_fields: optional(customValues, { shown: customValuesOfAsset }),
    nbv: nullable(Type.Number()),
    accumulated_depreciation: nullable(Type.Number()),
    last_seen: nullable(
      Type.Object({
        at: nullable(instant()),
        reader_id: reference("rdr"),
        zone_id: reference("zon"),
        location_id: reference("loc"),
      }),
    ),
    last_audited_at: nullable(instant()),
    tags: Type.Array(
      Type.Object({
        id: id("tag"),
        type: enumOf(TagType),
        epc: nullable(like("3034257BF7194E4000001A85")),
        code: nullable(like("QR-000042")),
      }),
      { description: "The tags that are bound to it" },
    ),
    current_checkout: unset(checkout.schema),
    disposed: unset(disposed),
    image: nullable(image),
    rev,
    created_at: nullable(instant()),
    created_by: nullable(like(exampleId("usr"))),
    updated_at: nullable(instant()),
    updated_by: nullable(like(exampleId("usr"))),
  },
  {
    disposed: ({ disposed: done, gainLoss }, currencyDigits) => {
      if (done === undefined || currencyDigits === undefined) return null;
      const gain = gainLoss === undefined ? null : moneyNumber(Number(gainLoss.minorUnits), currencyDigits);
      return { ...disposal.present(done, currencyDigits), gain_loss: gain };
    },
  },
);

/** Where an asset was at an instant. It has no revision, so the response has no ETag. */
export const assetPosition = resource(AssetPositionSchema, "AssetPosition", {
  id: id("ast"),
  number: like("AST-000042"),
  name: like("ThinkPad X1"),
  property_id: reference("prp"),
  building_id: reference("bld"),
  floor_id: reference("flr"),
  location_id: reference("loc"),
  custodian_id: reference("cus"),
  status_id: reference("sta"),
  as_of: nullable(instant()),
});

const examples = [
  {
    name: "ThinkPad X1",
    category_id: exampleId("cat"),
    location_id: exampleId("loc"),
    serial_number: "PF-3XK7A2",
    cost: 1249.9,
    in_service_date: "2026-01-31",
  },
];

/** The body of a new asset. `status_id` is accepted and ignored (http.md). */
export const newAssetSchema = newBody(asset, { title: "NewAsset", examples });
/** A new asset in a list. It has a title of its own, because the documents take the examples out of a whole body. */
export const newAssetItemSchema = newBody(asset, { title: "NewAssetItem" });

/** A change of an asset. `status_id` is ignored, as on creation. */
export const assetPatch = mergePatch(asset, "status_id");

const toAsset = requestMessage(AssetSchema, newAssetSchema, "status_id");

/**
 * The request of createAsset, from the body of POST /assets.
 *
 * @throws AppError VALIDATION_FAILED for an amount with more decimals than the currency has
 */
export const toNewAsset = (
  input: Type.Static<typeof newAssetSchema>,
  currency: Currency,
): MessageInitShape<typeof CreateAssetRequestSchema> => ({ asset: toAsset(input, currency) });

/** The properties of a response to a write that name fields without effect. */
export const writeNotesSchema = {
  stripped_fields: Type.Optional(
    Type.Array(like("cost"), { description: "Finance fields that the caller may not write" }),
  ),
  ignored_fields: Type.Optional(
    Type.Array(like("status_id"), { description: "Fields that only another operation sets" }),
  ),
};

/** The response to a write on surface B. */
export const writtenAssetSchema = Type.Object(
  { ...asset.schema.properties, ...writeNotesSchema },
  { title: "WrittenAsset" },
);

/** Which fields of a write had no effect. */
export function writeNotes(
  input: { status_id?: unknown },
  { strippedFields }: { strippedFields: string[] },
): { stripped_fields?: string[]; ignored_fields?: string[] } {
  return {
    ...(strippedFields.length > 0 && { stripped_fields: strippedFields }),
    ...(input.status_id !== undefined && { ignored_fields: ["status_id"] }),
  };
}
