import { limits } from "@asset-register/proto/limits";

/** How the text of a cell becomes the value of a field. */
export type CellKind =
  | { kind: "text"; max: number }
  | { kind: "reference" }
  | { kind: "money" }
  | { kind: "months" }
  | { kind: "date" }
  | { kind: "method" }
  | { kind: "ignored"; reason: string };

const line: CellKind = { kind: "text", max: limits.line };
const reference: CellKind = { kind: "reference" };
const ignored = (reason: string): CellKind => ({ kind: "ignored", reason });

const status = ignored("Only the status operation and disposal change the status.");
const finance = ignored("Posted depreciation decides it.");
const observed = ignored("It is observed.");
const ours = ignored("It is set with each change.");

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
  ["status_id", status],
  // Columns of our export that no one may write.
  ["id", ignored("A row is found by its number.")],
  ["status", status],
  ["nbv", finance],
  ["accumulated_depreciation", finance],
  ["tags", ignored("Only the operations of tags bind and free them.")],
  ["last_seen_at", observed],
  ["last_audited_at", observed],
  ["disposal_date", ignored("Only disposal sets it.")],
  ["created_at", ours],
  ["updated_at", ours],
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

/** A column whose cells have no effect. */
export type IgnoredColumn = { column: string; reason: string };

/** The columns of a file, and why it is refused. */
export type Header = { columns: Columns; ignored: IgnoredColumn[]; problems: string[] };

/**
 * Finds the field of each column: by `mapping`, else by the name of the column, in any case. The mapping to "" leaves a
 * column out.
 */
export function columnsOf(
  header: readonly string[],
  mapping: ReadonlyMap<string, string>,
  customKeys: ReadonlySet<string>,
): Header {
  if (header.length > MAX_COLUMNS) {
    return { columns: [], ignored: [], problems: [`The file has more than ${MAX_COLUMNS} columns.`] };
  }
  const ignored: IgnoredColumn[] = [];
  const unknown: string[] = [];
  const names = new Set(header.map((name) => name.toLowerCase()));
  const columns = header.map((name) => {
    const field = mapping.get(name) ?? name.toLowerCase();
    const reason = reasonToIgnore(name, field, mapping, names);
    if (reason !== undefined) {
      ignored.push({ column: name, reason });
      return "";
    }
    const customKey = customKeyOf(field);
    if (customKey === undefined ? assetColumns.has(field) : customKeys.has(customKey)) return field;
    unknown.push(name);
    return "";
  });
  const missing = [...mapping.keys()].filter((name) => !header.includes(name));
  const used = columns.filter((field) => field !== "");
  const repeated = [...new Set(used.filter((one, index) => used.indexOf(one) < index))];
  const problems = [
    ...missing.map((name) => `The mapping names a column that is missing: ${shown(name)}.`),
    ...unknown.map((name) => `The column ${shown(name)} is unknown.`),
    ...repeated.map((field) => `Two columns have the field ${shown(field)}.`),
  ];
  if (used.length === 0 && problems.length === 0) problems.push("The file has no columns.");
  return { columns, ignored, problems };
}

/** Why the cells of a column have no effect; undefined if they have one, or if the column is unknown. */
function reasonToIgnore(
  name: string,
  field: string,
  mapping: ReadonlyMap<string, string>,
  names: ReadonlySet<string>,
): string | undefined {
  if (mapping.get(name) === "") return "The mapping leaves it out.";
  if (field === "") return "It has no name.";
  const kind = assetColumns.get(field);
  if (kind?.kind === "ignored") return kind.reason;
  // Our export has the name of a record before its id.
  const id = `${field}_id`;
  const isName = !mapping.has(name) && assetColumns.get(id) === reference && names.has(id);
  return isName ? `The column ${shown(id)} decides.` : undefined;
}

const shown = (name: string): string =>
  name.length > 60 ? `"${name.slice(0, 59).toWellFormed()}…"` : `"${name}"`;
