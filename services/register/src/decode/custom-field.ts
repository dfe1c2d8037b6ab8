import type {
  CreateCustomFieldRequest,
  DeleteCustomFieldRequest,
  UpdateCustomFieldRequest,
} from "@asset-register/proto/assetregister/register/v1/custom_field_pb";
import { limits } from "@asset-register/proto/limits";
import { field, parse } from "@asset-register/rpc";
import { snakeCase } from "@asset-register/runtime";
import { toJson } from "@bufbuild/protobuf";
import { type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import { z } from "zod";
import { customFieldTypeNames } from "../encode/custom-field.ts";
import type { CreateCustomField } from "../operations/custom-fields/create-custom-field.ts";
import type { DeleteCustomField } from "../operations/custom-fields/delete-custom-field.ts";
import type { UpdateCustomField } from "../operations/custom-fields/update-custom-field.ts";

const KEY = /^[a-z][a-z0-9_]{0,49}$/;

const option = z
  .object({
    value: field.text(limits.line),
    label: field.optionalText(limits.line),
    active: z.boolean().optional(),
  })
  .transform(({ value, label = value, active = true }) => ({ value, label, active }));

const bound = z.preprocess(
  (value: Value | undefined) => (value && toJson(ValueSchema, value)) ?? undefined,
  z.union([z.number(), z.string().max(limits.line)], "must be a number or a text").optional(),
);

const definition = z.object({
  label: field.text(limits.name),
  type: field.enum(customFieldTypeNames),
  required: z.boolean(),
  unique: z.boolean(),
  options: z
    .array(option)
    .max(limits.customFieldOptions, `must have at most ${limits.customFieldOptions} options`),
  min: bound,
  max: bound,
  pattern: z
    .string()
    .max(limits.customFieldPattern, `must have at most ${limits.customFieldPattern} characters`)
    .optional()
    .transform((text) => text || undefined),
  categoryIds: field.ids(),
});

const position = field.integer({ max: limits.customFieldPosition });
const newField = z.object({
  ...definition.shape,
  key: z.string().regex(KEY, "must be up to 50 lower-case letters, digits and _, and begin with a letter"),
  position: position.optional(),
});

export function decodeCreateCustomField({ customField }: CreateCustomFieldRequest): CreateCustomField {
  const { key, position: place, ...rest } = parse(newField, customField ?? {});
  return { key, definition: { ...rest, categoryIds: distinct(rest.categoryIds) }, position: place };
}

const changeable = z.object({ ...definition.shape, position }).partial();

/** The mask has the names of HTTP. */
const changeableNames = new Map(changeable.keyof().options.map((name) => [snakeCase(name), name]));

export function decodeUpdateCustomField(request: UpdateCustomFieldRequest): UpdateCustomField {
  const { customField, updateMask, ifRevIn } = request;
  const named = (updateMask?.paths ?? []).flatMap((path) => changeableNames.get(path) ?? []);
  const change = parse(changeable, Object.fromEntries(named.map((name) => [name, customField?.[name]])));
  // A position always has a value.
  if (change.position === undefined) delete change.position;
  if (change.categoryIds) change.categoryIds = distinct(change.categoryIds);
  return { id: customField?.id ?? "", change, ifRevIn };
}

export const decodeDeleteCustomField = ({ id, ifRevIn }: DeleteCustomFieldRequest): DeleteCustomField => ({
  id,
  ifRevIn,
});

const distinct = (ids: string[]): string[] => [...new Set(ids)];
