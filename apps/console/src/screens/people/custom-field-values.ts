import type { Schemas } from "../../api/client.ts";
import { instantOf, localTime } from "../../parts/zoned-time.ts";

export const fieldTypes = [
  ...(["text", "textarea", "number", "boolean", "date", "datetime"] as const),
  ...(["select", "multiselect", "url", "email"] as const),
] satisfies Schemas["CustomField"]["type"][];

/** The form of a custom field. The options are one a line. Times are in the time zone of the workspace. */
export type FieldValues = {
  key: string;
  label: string;
  type: Schemas["CustomField"]["type"];
  required: boolean;
  unique: boolean;
  options: string;
  category_ids: string[];
  min: string | number;
  max: string | number;
  pattern: string;
};

export const hasOptions = (type: FieldValues["type"]): boolean => type === "select" || type === "multiselect";
export const mayBeUnique = (type: FieldValues["type"]): boolean =>
  ["text", "number", "date", "email", "url"].includes(type);

/** The values that minimum and maximum of a type are compared with. */
const bounds = {
  text: "length",
  textarea: "length",
  url: "length",
  email: "length",
  number: "number",
  date: "date",
  datetime: "instant",
} as const;
export type BoundKind = (typeof bounds)[keyof typeof bounds];

/** Undefined if values of the type have no order. */
export const boundKindOf = (type: FieldValues["type"]): BoundKind | undefined =>
  type in bounds ? bounds[type as keyof typeof bounds] : undefined;

const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== ""),
  ),
];

const boundInput = (field: Schemas["CustomField"] | undefined, name: "min" | "max", timeZone: string) => {
  const bound = field?.[name] ?? "";
  return bound !== "" && field?.type === "datetime" ? localTime(bound, timeZone) : bound;
};

export const fieldValuesOf = (field: Schemas["CustomField"] | undefined, timeZone: string): FieldValues => ({
  key: field?.key ?? "",
  label: field?.label ?? "",
  type: field?.type ?? "text",
  required: field?.required ?? false,
  unique: field?.unique ?? false,
  options: (field?.options ?? [])
    .filter(({ active }) => active !== false)
    .map(({ value }) => value)
    .join("\n"),
  category_ids: field?.category_ids ?? [],
  min: boundInput(field, "min", timeZone),
  max: boundInput(field, "max", timeZone),
  pattern: field?.pattern ?? "",
});

const boundOf = (type: FieldValues["type"], input: string | number, timeZone: string) => {
  const kind = boundKindOf(type);
  if (input === "" || kind === undefined) return null;
  return kind === "instant" ? instantOf(String(input), timeZone) : input;
};

/** The changes of a form to a field. An option is never removed: one that is no line any more becomes inactive. */
export function fieldBodyOf(
  values: FieldValues,
  field: Schemas["CustomField"] | undefined,
  timeZone: string,
) {
  const { key, label, type, required, unique, options, category_ids, pattern } = values;
  const body = {
    ...{ label, type, required, unique: unique && mayBeUnique(type), category_ids },
    min: boundOf(type, values.min, timeZone),
    max: boundOf(type, values.max, timeZone),
    pattern: type === "text" && pattern !== "" ? pattern : null,
  };
  const lines = hasOptions(type) ? linesOf(options) : [];
  if (field === undefined) return { ...body, key, options: lines.map((value) => ({ value })) };
  const kept = field.options.map(({ value, label: text }) => ({
    ...{ value, active: lines.includes(value) },
    ...(text !== null && { label: text }),
  }));
  const added = lines.filter((line) => !field.options.some(({ value }) => value === line));
  return { ...body, options: [...kept, ...added.map((value) => ({ value }))] };
}
