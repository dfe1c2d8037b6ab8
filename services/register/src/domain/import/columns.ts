import { limits } from "@asset-register/proto/limits";

/** How the text of a cell becomes the value of a field. */
export type CellKind =
  | { kind: "text"; max: number }
  | { kind: "reference" }
  | { kind: "money" }
  | { kind: "months" }
  | { kind: "date" }
  | { kind: "method" }
  | { kind: "ignored" };

const line: CellKind = { kind: "text", max: limits.line };
const reference: CellKind = { kind: "reference" };
const ignored: CellKind = { kind: "ignored" };

/** The fields of POST /assets. */
export const assetColumns: ReadonlyMap<string, CellKind> = new Map<string, CellKind>([
  ["number", { kind: "text", max: limits.code }],
  ["name", { kind: "text", max: limits.name }],
  ["description", { kind: "text", max: limits.description }],
  ["category_id", reference],
  ["department_id", reference],
  ["property_id", reference],
  ["building_id", reference],
  ["floor_id", reference],
  ["location_id", reference],
  ["custodian_id", reference],
  ["serial_number", line],
  ["manufacturer", line],
  ["model", line],
  ["cost", { kind: "money" }],
  ["salvage_value", { kind: "money" }],
  ["useful_life_months", { kind: "months" }],
  ["in_service_date", { kind: "date" }],
  ["depreciation_method", { kind: "method" }],
  ["supplier", line],
  ["purchase_order", line],
  ["invoice_number", line],
  // As in POST /assets: the status has an operation of its own.
  ["status_id", ignored],
  // Columns of our export that no one may write.
  ["id", ignored],
  ["status", ignored],
  ["nbv", ignored],
  ["accumulated_depreciation", ignored],
  ["tags", ignored],
  ["last_seen_at", ignored],
  ["last_audited_at", ignored],
  ["disposal_date", ignored],
  ["created_at", ignored],
  ["updated_at", ignored],
]);

const CUSTOM = "custom_fields.";
/** More than twice as many as an asset can have fields. */
const MAX_COLUMNS = limits.importColumns;

/** The key of the custom field that a field names, if it is one. */
export function customKeyOf(field: string): string | undefined {
  return field.startsWith(CUSTOM) ? field.slice(CUSTOM.length) : undefined;
}

/** The field of each column. A column with "" is left out. */
export type Columns = string[];

/**
 * Finds the field of each column: by `mapping`, else by the name of the column, in any case. The mapping to "" leaves a
 * column out.
 */
export function columnsOf(
  header: readonly string[],
  mapping: ReadonlyMap<string, string>,
  customKeys: ReadonlySet<string>,
): { columns: Columns; problems: string[] } {
  if (header.length > MAX_COLUMNS) {
    return { columns: [], problems: [`The file has more than ${MAX_COLUMNS} columns.`] };
  }
  const problems = [...mapping.keys()]
    .filter((name) => !header.includes(name))
    .map((name) => `The mapping names a column that is missing: ${shown(name)}.`);
  const names = new Set(header.map((name) => name.toLowerCase()));
  const columns = header.map((name) => {
    const field = mapping.get(name) ?? name.toLowerCase();
    if (field === "" || assetColumns.get(field) === ignored) return "";
    const customKey = customKeyOf(field);
    if (customKey === undefined ? assetColumns.has(field) : customKeys.has(customKey)) return field;
    // Our export has the name of a record before its id.
    if (!mapping.has(name) && assetColumns.get(`${field}_id`) === reference && names.has(`${field}_id`)) {
      return "";
    }
    problems.push(`The column ${shown(name)} is unknown.`);
    return "";
  });
  const used = columns.filter((field) => field !== "");
  for (const field of new Set(used.filter((one, index) => used.indexOf(one) < index))) {
    problems.push(`Two columns have the field ${shown(field)}.`);
  }
  if (used.length === 0 && problems.length === 0) problems.push("The file has no columns.");
  return { columns, problems };
}

const shown = (name: string): string =>
  name.length > 60 ? `"${name.slice(0, 59).toWellFormed()}…"` : `"${name}"`;
