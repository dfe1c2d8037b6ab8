import { limits } from "@asset-register/proto/limits";
import { AppError, isCalendarDate, lengthOf, parseMoney } from "@asset-register/runtime";
import type { AssetFields } from "../assets/asset.ts";
import type { CustomField } from "../custom-fields/custom-field.ts";
import { depreciationMethods } from "../finance/finance.ts";
import { hasWrongBytes, textOfCell } from "./cell.ts";
import { assetColumns, type CellKind, type Columns, customKeyOf } from "./columns.ts";
import { customValueOf } from "./custom-cell.ts";

/** A problem of a row. Without a field it is a problem of the whole row. */
export type RowProblem = {
  field?: string | undefined;
  code: string;
  message: string;
  /** The name of the field's column, and the beginning of its cell. */
  column?: string | undefined;
  value?: string | undefined;
};

/** The fields that refer to records of the organisation, by their names in HTTP. */
export type ReferenceTexts = Record<string, string>;

/** The values of a row. A field without a value in the file is absent. */
export type RowInput = {
  number?: string | undefined;
  /** By their names in HTTP: texts, minor units, months, dates. */
  values: Record<string, string | number>;
  references: ReferenceTexts;
  /** Values by key, as POST /assets takes them. */
  customFields: Record<string, unknown>;
};

/** The rules for the cells of a workspace's imports. */
export type RowRules = {
  currencyDigits: number;
  customFields: ReadonlyMap<string, Pick<CustomField, "type" | "options">>;
};

type Value = { value: string | number } | { problem: string };

const invalidField = (field: string, message: string): RowProblem => ({
  field,
  code: "VALIDATION_FAILED",
  message,
});
const invalidRow = (message: string): RowProblem => ({ code: "VALIDATION_FAILED", message });

/** Reads the cells of a row. Problems do not depend on what is stored. */
export function readRow(
  cells: readonly string[],
  columns: Columns,
  rules: RowRules,
): { input: RowInput; problems: RowProblem[] } {
  const input: RowInput = { values: {}, references: {}, customFields: {} };
  const problems: RowProblem[] = [];
  if (cells.length < columns.length) {
    problems.push(invalidRow(`The row has ${cells.length} cells, the header has ${columns.length}.`));
  }
  if (cells.slice(columns.length).some((cell) => cell.trim() !== "")) {
    problems.push(invalidRow(`The row has more cells than the header, which has ${columns.length}.`));
  }
  for (const [index, field] of columns.entries()) {
    const cell = cells[index];
    if (field === "" || cell === undefined) continue;
    const text = textOfCell(cell);
    if (text === "") continue;
    if (hasWrongBytes(text)) {
      problems.push(invalidField(field, "has characters that are not UTF-8: save the file as CSV in UTF-8"));
      continue;
    }
    const problem = setValue(input, field, text, rules);
    if (problem !== undefined) problems.push(invalidField(field, problem));
  }
  return { input, problems };
}

/** Sets one field. Returns the problem of a value that is refused. */
function setValue(input: RowInput, field: string, text: string, rules: RowRules): string | undefined {
  const customKey = customKeyOf(field);
  if (customKey !== undefined) {
    const custom = rules.customFields.get(customKey);
    if (!custom) return "is not a known field";
    input.customFields[customKey] = customValueOf(custom, text);
    return undefined;
  }
  const kind = assetColumns.get(field);
  if (kind === undefined || kind.kind === "ignored") return undefined;
  const read = valueFor(kind, text, rules);
  if ("problem" in read) return read.problem;
  if (field === "number") input.number = String(read.value);
  else if (kind.kind === "reference") input.references[field] = String(read.value);
  else input.values[field] = read.value;
  return undefined;
}

function valueFor(kind: Exclude<CellKind, { kind: "ignored" }>, text: string, rules: RowRules): Value {
  switch (kind.kind) {
    case "text":
      return withLength(text, kind.max);
    case "reference":
      return withLength(text, limits.name);
    case "money":
      return amountOf(text, rules.currencyDigits);
    case "months":
      return monthsOf(text);
    case "date":
      return isCalendarDate(text) ? { value: text } : { problem: "must be a date, YYYY-MM-DD" };
    case "method":
      return depreciationMethods.some((method) => method === text)
        ? { value: text }
        : { problem: `must be one of ${depreciationMethods.join(", ")}` };
  }
}

function withLength(text: string, max: number): Value {
  return lengthOf(text) > max ? { problem: `must have at most ${max} characters` } : { value: text };
}

function amountOf(text: string, digits: number): Value {
  try {
    const value = parseMoney(text, digits);
    return value < 0 ? { problem: "must not be negative" } : { value };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { problem: error.violations[0]?.message ?? error.message };
  }
}

function monthsOf(text: string): Value {
  const months = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  return months >= 1 && months <= limits.usefulLifeMonths
    ? { value: months }
    : { problem: `must be a whole number from 1 to ${limits.usefulLifeMonths}` };
}

const fieldNames = {
  name: "name",
  description: "description",
  serial_number: "serialNumber",
  manufacturer: "manufacturer",
  model: "model",
  cost: "cost",
  salvage_value: "salvageValue",
  useful_life_months: "usefulLifeMonths",
  in_service_date: "inServiceDate",
  depreciation_method: "depreciationMethod",
  supplier: "supplier",
  purchase_order: "purchaseOrder",
  invoice_number: "invoiceNumber",
} as const satisfies Record<string, keyof AssetFields>;
const referenceNames = {
  category_id: "categoryId",
  department_id: "departmentId",
  property_id: "propertyId",
  building_id: "buildingId",
  floor_id: "floorId",
  location_id: "locationId",
  custodian_id: "custodianId",
} as const satisfies Record<string, keyof AssetFields>;

/** The fields of the asset that a row sets. `ids` are the records that its references name. */
export function assetFieldsOf(
  { values }: Pick<RowInput, "values">,
  ids: Readonly<Record<string, string>>,
): Partial<AssetFields> {
  const fields: Record<string, string | number> = {};
  for (const [name, field] of Object.entries(fieldNames)) {
    const value = values[name];
    if (value !== undefined) fields[field] = value;
  }
  for (const [name, field] of Object.entries(referenceNames)) {
    const id = ids[name];
    if (id !== undefined) fields[field] = id;
  }
  // `readRow` has made each value by the kind of its column.
  return fields as Partial<AssetFields>;
}
