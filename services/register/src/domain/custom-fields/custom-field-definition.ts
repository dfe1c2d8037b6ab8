import { limits } from "@asset-register/proto/limits";
import {
  type Change,
  changesBetween,
  conflict,
  type FieldViolation,
  invalid,
  isCalendarDate,
  parseInstant,
} from "@asset-register/runtime";
import type { CustomField, CustomFieldDefinition, CustomFieldType } from "./custom-field.ts";
import { patternProblem } from "./custom-field-pattern.ts";

type Bound = number | string;

/** What `min` and `max` are compared with. */
type BoundKind = "length" | "number" | "date" | "instant";

type TypeRules = { bounds?: BoundKind; maxLength?: number; mayBeUnique?: true; hasOptions?: true };

export const typeRules: Record<CustomFieldType, TypeRules> = {
  text: { bounds: "length", maxLength: limits.line, mayBeUnique: true },
  textarea: { bounds: "length", maxLength: limits.description },
  number: { bounds: "number", mayBeUnique: true },
  boolean: {},
  date: { bounds: "date", mayBeUnique: true },
  datetime: { bounds: "instant" },
  select: { hasOptions: true },
  multiselect: { hasOptions: true },
  url: { bounds: "length", maxLength: limits.url, mayBeUnique: true },
  email: { bounds: "length", maxLength: limits.email, mayBeUnique: true },
};

/** @throws AppError VALIDATION_FAILED that names the fields of a definition which contradict its type */
export function assertDefinition(definition: CustomFieldDefinition): void {
  const { type, unique, pattern } = definition;
  const violations = [...optionViolations(definition), ...boundViolations(definition)];
  const refuse = (field: string, message: string) => violations.push({ field, message });
  if (unique && !typeRules[type].mayBeUnique) refuse("unique", `is not possible for the type ${type}`);
  if (pattern !== undefined) {
    const problem = type === "text" ? patternProblem(pattern) : "is only for the type text";
    if (problem) refuse("pattern", problem);
  }
  if (violations.length > 0) throw invalid(violations);
}

function optionViolations({ type, options }: CustomFieldDefinition): FieldViolation[] {
  if (!typeRules[type].hasOptions) {
    return options.length > 0
      ? [{ field: "options", message: "is only for the types select and multiselect" }]
      : [];
  }
  if (options.length === 0) return [{ field: "options", message: "must have at least one option" }];
  const seen = new Set<string>();
  return options.flatMap(({ value }, index) => {
    if (!seen.has(value)) {
      seen.add(value);
      return [];
    }
    return [{ field: `options.${index}.value`, message: "is used by another option" }];
  });
}

function boundViolations({ type, min, max }: CustomFieldDefinition): FieldViolation[] {
  const { bounds, maxLength = 0 } = typeRules[type];
  const violations: FieldViolation[] = [];
  for (const [field, bound] of Object.entries({ min, max })) {
    if (bound === undefined) continue;
    const message = bounds ? boundProblem(bounds, bound, maxLength) : `is not possible for the type ${type}`;
    if (message) violations.push({ field, message });
  }
  if (violations.length === 0 && bounds && min !== undefined && max !== undefined) {
    if (order(bounds, min) > order(bounds, max)) {
      violations.push({ field: "max", message: "must not be less than min" });
    }
  }
  return violations;
}

function boundProblem(kind: BoundKind, bound: Bound, maxLength: number): string | undefined {
  const isNumber = typeof bound === "number";
  switch (kind) {
    case "length": {
      const isLength = isNumber && Number.isInteger(bound) && bound >= 0 && bound <= maxLength;
      return isLength ? undefined : `must be a length from 0 to ${maxLength}`;
    }
    case "number":
      return isNumber && Number.isFinite(bound) ? undefined : "must be a number";
    case "date":
      return !isNumber && isCalendarDate(bound) ? undefined : "must be a date, YYYY-MM-DD";
    case "instant":
      return !isNumber && parseInstant(bound) ? undefined : "must be an instant with a time zone";
  }
}

/** The place of a valid bound or value in the order of its kind. A length is given as a number. */
export function order(kind: BoundKind, value: Bound): number {
  if (typeof value === "number") return value;
  return kind === "date" ? Date.parse(value) : (parseInstant(value)?.getTime() ?? Number.NaN);
}

/** A change of a definition. A key with undefined clears the field. */
export type DefinitionChange = Partial<CustomFieldDefinition>;

/**
 * The field after a change. A used field that becomes unique has to be indexed first.
 * @throws AppError CUSTOM_FIELD_TYPE_FIXED, VALIDATION_FAILED
 */
export function changeCustomField(before: CustomField, change: DefinitionChange, at: Date): CustomField {
  const after: CustomField = { ...before, ...change, rev: before.rev + 1, updatedAt: at };
  if (after.type !== before.type && before.used) {
    throw conflict("CUSTOM_FIELD_TYPE_FIXED", "The type can't change: the field has had values.", [
      { field: "type", message: "must stay as it is" },
    ]);
  }
  assertDefinition(after);
  if (after.type === before.type) assertOptionsKept(before, after);
  if (after.unique === before.unique) return after;
  if (!after.unique) return { ...after, status: before.used ? "clearing" : before.status };
  return {
    ...after,
    generation: before.generation + 1,
    error: undefined,
    ...(before.used && { status: "indexing" }),
  };
}

function assertOptionsKept(before: CustomField, after: CustomField): void {
  const kept = new Set(after.options.map(({ value }) => value));
  const removed = before.options.filter(({ value }) => !kept.has(value));
  if (removed.length === 0) return;
  throw invalid(
    removed.map(({ value }) => ({
      field: "options",
      message: `must keep the option ${value}, which can become inactive`,
    })),
  );
}

/** The changes of a definition for the audit log: options with their state, categories as ids. */
export function auditedChanges(before: CustomField | undefined, after: CustomField): Change[] {
  return changesBetween(before ? asTexts(before) : {}, asTexts(after));
}

const asTexts = ({ key, label, type, position, pattern, min, max, ...rest }: CustomField) => ({
  ...{ key, label, type, position, pattern, min, max },
  required: String(rest.required),
  unique: String(rest.unique),
  options: rest.options.map(({ value, label: shown, active }) => JSON.stringify([value, shown, active])),
  categoryIds: rest.categoryIds,
});
