import {
  CustomFieldSchema,
  CustomFieldStatus,
  CustomFieldType,
} from "@asset-register/proto/assetregister/register/v1/custom_field_pb";
import { limits } from "@asset-register/proto/limits";
import Type from "typebox";
import { enumOf } from "../http/fields.ts";
import { clearable, mergePatch } from "../http/merge-patch.ts";
import { requestMessage } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import { body, id, ids, instant, like, named, nullable, rev, unset } from "../http/schemas.ts";

const KEY = "^[a-z][a-z0-9_]{0,49}$";

const bound = Type.Unsafe<number | string>({
  type: ["number", "string"],
  maxLength: limits.line,
  description: "Of a number; of a date or instant as text; of the length of a text",
  examples: [1],
});

export const customField = resource(CustomFieldSchema, "CustomField", {
  id: id("cfd"),
  key: like("mac_address"),
  label: like("MAC address"),
  type: enumOf(CustomFieldType),
  required: Type.Boolean(),
  unique: Type.Boolean(),
  options: Type.Array(
    Type.Object({
      value: like("linux"),
      label: nullable(like("Linux")),
      active: nullable(Type.Boolean()),
    }),
  ),
  min: clearable(bound),
  max: clearable(bound),
  pattern: unset(like("[0-9A-F:]{17}")),
  category_ids: Type.Array(id("cat")),
  position: nullable(Type.Integer()),
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

const option = body({
  value: named("linux", limits.line),
  label: Type.Optional(Type.String({ maxLength: limits.line, examples: ["Linux"] })),
  active: Type.Optional(
    Type.Boolean({ description: "false: kept where it is used, and refused in new writes" }),
  ),
});

const changeable = {
  label: named("MAC address"),
  type: enumOf(CustomFieldType),
  required: Type.Boolean({
    description: "Whether a creation, and a change of custom fields or category, needs a value",
  }),
  unique: Type.Boolean({ description: "Of text, number, date, email and url. Case does not matter." }),
  options: Type.Array(option, {
    maxItems: limits.customFieldOptions,
    description: "Of select and multiselect. An option is never removed; it can become inactive.",
  }),
  category_ids: ids("cat", "The categories of its assets, with those below them; all if empty"),
  position: Type.Integer({ minimum: 0, maximum: limits.customFieldPosition, examples: [1] }),
};

const pattern = Type.String({
  minLength: 1,
  maxLength: limits.customFieldPattern,
  description: "Of text: an expression in the syntax of RE2 that matches the whole value",
  examples: ["[0-9A-F:]{17}"],
});

const optional = Type.Optional;

export const newCustomFieldSchema = body(
  {
    key: Type.String({
      pattern: KEY,
      maxLength: limits.customFieldKey,
      description: "Names the values in `custom_fields` of assets. It never changes.",
      examples: ["mac_address"],
    }),
    label: changeable.label,
    type: changeable.type,
    required: optional(changeable.required),
    unique: optional(changeable.unique),
    options: optional(changeable.options),
    min: optional(bound),
    max: optional(bound),
    pattern: optional(pattern),
    category_ids: optional(changeable.category_ids),
    position: optional(changeable.position),
  },
  {
    title: "NewCustomField",
    examples: [{ key: "mac_address", label: "MAC address", type: "text", unique: true, max: 17 }],
  },
);
export const toNewCustomField = requestMessage(CustomFieldSchema, newCustomFieldSchema);

export const customFieldPatch = mergePatch(CustomFieldSchema, {
  ...changeable,
  min: clearable(bound),
  max: clearable(bound),
  pattern: clearable(pattern),
});

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
