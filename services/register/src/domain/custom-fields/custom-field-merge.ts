import { limits } from "@asset-register/proto/limits";
import { type Change, changesBetween, type FieldViolation } from "@asset-register/runtime";
import {
  type CustomField,
  type CustomFieldValue,
  type CustomFieldValues,
  isInScope,
} from "./custom-field.ts";
import { checkValue, uniqueKey } from "./custom-field-value.ts";

/** A key of a request in the path of a violation. Longer ones are no keys of fields. */
const pathOf = (key: string): string => `custom_fields.${key.slice(0, limits.customFieldKey)}`;

export type Merge = {
  /** All fields of the workspace that are not deleted. */
  fields: readonly CustomField[];
  /** The asset's category and those above it. */
  categories: ReadonlySet<string>;
  before: CustomFieldValues;
  /** Values by key. `null` removes one, a missing key keeps it. */
  patch: Readonly<Record<string, unknown>>;
};

/** The stored values after a write, and why it is refused. Values out of scope stay as they are. */
export function mergeCustomFields({ fields, categories, before, patch }: Merge): {
  values: CustomFieldValues;
  violations: FieldViolation[];
} {
  const byKey = new Map(fields.map((field) => [field.key, field]));
  const values = new Map(Object.entries(before));
  const violations: FieldViolation[] = [];
  for (const [key, given] of Object.entries(patch)) {
    const field = byKey.get(key);
    const refuse = (message: string) => violations.push({ field: pathOf(key), message });
    if (!field) refuse("is not a known field");
    else if (given === null) values.delete(key);
    else if (!isInScope(field, categories)) refuse("does not apply to the category of the asset");
    else {
      const checked = checkValue(field, given, values.get(key));
      if ("problem" in checked) refuse(checked.problem);
      else if (checked.value === undefined) values.delete(key);
      else values.set(key, checked.value);
    }
  }
  const refused = new Set(violations.map(({ field }) => field));
  for (const field of fields) {
    const path = pathOf(field.key);
    if (!field.required || values.has(field.key) || refused.has(path)) continue;
    if (isInScope(field, categories)) violations.push({ field: path, message: "is required" });
  }
  const merged = Object.fromEntries(values);
  if (Buffer.byteLength(JSON.stringify(merged)) > limits.customFieldBytes) {
    const kib = limits.customFieldBytes / 1024;
    violations.push({ field: "custom_fields", message: `must have at most ${kib} KiB in total` });
  }
  return { values: merged, violations };
}

/** The values that callers see: without those of deleted fields and of fields out of scope. */
export function visibleValues(
  fields: readonly CustomField[],
  categories: ReadonlySet<string>,
  stored: CustomFieldValues,
): CustomFieldValues {
  const shown = new Set(fields.filter((field) => isInScope(field, categories)).map(({ key }) => key));
  return Object.fromEntries(Object.entries(stored).filter(([key]) => shown.has(key)));
}

/** The rows of an asset's history for changed values: `custom_fields.<key>`. */
export function customFieldChanges(before: CustomFieldValues = {}, after: CustomFieldValues = {}): Change[] {
  return changesBetween(asTexts(before), asTexts(after));
}

const asTexts = (values: CustomFieldValues): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [`custom_fields.${key}`, [value].flat().join(", ")]),
  );

/** A value of a unique field. */
export type UniqueValue = { fieldId: string; key: string; valueKey: string; generation: number };

/**
 * The unique values that a write takes, and the ids of the unique fields that have no value any longer. A value that
 * stays is in neither list.
 */
export function uniqueValueChanges(
  fields: readonly CustomField[],
  before: CustomFieldValues,
  after: CustomFieldValues,
): { taken: UniqueValue[]; freed: string[] } {
  const taken: UniqueValue[] = [];
  const freed: string[] = [];
  const old = new Map(Object.entries(before));
  const now = new Map(Object.entries(after));
  for (const field of fields) {
    if (!field.unique) continue;
    const [was, is] = [old.get(field.key), now.get(field.key)];
    if (is === undefined) {
      if (was !== undefined) freed.push(field.id);
    } else if (was === undefined || uniqueKey(was) !== uniqueKey(is)) taken.push(uniqueValue(field, is));
  }
  return { taken, freed };
}

/** The row of a value. It never matches one of an earlier generation of the field. */
export function uniqueValue(
  { id: fieldId, key, generation }: Pick<CustomField, "id" | "key" | "generation">,
  value: CustomFieldValue,
): UniqueValue {
  return { fieldId, key, generation, valueKey: `${generation}:${uniqueKey(value)}` };
}
