import {
  CustomFieldSchema,
  CustomFieldStatus,
  CustomFieldType,
} from "@asset-register/proto/assetregister/register/v1/custom_field_pb";
import { limits } from "@asset-register/proto/limits";
import Type from "typebox";
import { newBody } from "../http/bodies.ts";
import { enumOf } from "../http/fields.ts";
import { mergePatch } from "../http/merge-patch.ts";
import { requestMessage } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import { id, ids, instant, like, named, nullable, rev, textOf, unset } from "../http/schemas.ts";
import { defaulted, fixed, listOf, optional, required } from "../http/writable.ts";

const KEY = "^[a-z][a-z0-9_]{0,49}$";

const bound = optional(
  Type.Unsafe<number | string>({
    type: ["number", "string"],
    maxLength: limits.line,
    description: "Of a number; of a date or instant as text; of the length of a text",
    examples: [1],
  }),
  { shown: { maxLength: limits.line } },
);

export const customField = resource(CustomFieldSchema, "CustomField", {
  id: id("cfd"),
  key: fixed(
    required(
      Type.String({
        pattern: KEY,
        maxLength: limits.customFieldKey,
        description: "Names the values in `custom_fields` of assets. It never changes.",
        examples: ["mac_address"],
      }),
      { shown: { description: undefined } },
    ),
  ),
  label: required(named("MAC address")),
  type: required(enumOf(CustomFieldType)),
  required: defaulted(
    Type.Boolean({
      description: "Whether a creation, and a change of custom fields or category, needs a value",
    }),
    { shown: { description: undefined } },
  ),
  unique: defaulted(
    Type.Boolean({ description: "Of text, number, date, email and url. Case does not matter." }),
    { shown: { description: undefined } },
  ),
  options: defaulted(
    listOf(
      {
        value: required(named("linux", limits.line)),
        label: optional(textOf(limits.line, "Linux")),
        active: optional(
          Type.Boolean({ description: "false: kept where it is used, and refused in new writes" }),
          { shown: { description: undefined } },
        ),
      },
      {
        maxItems: limits.customFieldOptions,
        description: "Of select and multiselect. An option is never removed; it can become inactive.",
      },
    ),
    { shown: { description: undefined } },
  ),
  min: bound,
  max: bound,
  pattern: optional(
    Type.String({
      minLength: 1,
      maxLength: limits.customFieldPattern,
      description: "Of text: an expression in the syntax of RE2 that matches the whole value",
      examples: ["[0-9A-F:]{17}"],
    }),
    { shown: unset(like("[0-9A-F:]{17}")) },
  ),
  category_ids: defaulted(ids("cat", "The categories of its assets, with those below them; all if empty"), {
    shown: Type.Array(id("cat")),
  }),
  position: defaulted(Type.Integer({ minimum: 0, maximum: limits.customFieldPosition, examples: [1] }), {
    shown: nullable(Type.Integer()),
  }),
  status: enumOf(CustomFieldStatus),
  progress: unset(Type.Object({ done: Type.Integer(), total: Type.Integer() })),
  error: unset(
    Type.Object({
      code: like("CUSTOM_FIELD_VALUE_TAKEN"),
      message: like("3 assets have a value that another asset has."),
    }),
  ),
  rev,
  created_at: nullable(instant()),
  updated_at: nullable(instant()),
});

export const newCustomFieldSchema = newBody(customField, {
  title: "NewCustomField",
  examples: [{ key: "mac_address", label: "MAC address", type: "text", unique: true, max: 17 }],
});
export const toNewCustomField = requestMessage(CustomFieldSchema, newCustomFieldSchema);
export const customFieldPatch = mergePatch(customField);

/** The values of an asset's custom fields in a request. Other keys than those of fields are refused. */
export const customValues = Type.Unsafe<Record<string, unknown>>({
  type: "object",
  patternProperties: {
    [KEY]: {
      type: ["string", "number", "boolean", "array", "null"],
      maxLength: limits.description,
      maxItems: limits.customFieldOptions,
      items: { type: "string", maxLength: limits.line },
    },
  },
  additionalProperties: false,
  maxProperties: limits.customFields,
  description: "Values by the key of the custom field. `null` removes a value.",
  examples: [{ mac_address: "00:1B:44:11:3A:B7" }],
});

/** The values of an asset's custom fields in a response. */
export const customValuesOfAsset = nullable(
  Type.Object(
    {},
    {
      additionalProperties: true,
      description: "Values by the key of the custom field",
      examples: [{ mac_address: "00:1B:44:11:3A:B7" }],
    },
  ),
);
