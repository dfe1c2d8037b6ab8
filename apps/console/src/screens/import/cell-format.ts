import type { CellKind } from "./import-fields.ts";

/** How a column writes numbers or days. */
export const decimalFormats = ["comma", "point"] as const;
export const dateFormats = ["ymd", "dmy", "mdy"] as const;
export type CellFormat = (typeof decimalFormats)[number] | (typeof dateFormats)[number];

/** The formats in which a column can be written; several, if all its cells fit several with different results. */
export function formatsOf(cells: readonly string[], kind: CellKind): CellFormat[] {
  const candidates: readonly CellFormat[] =
    kind === "decimal" ? decimalFormats : kind === "date" ? dateFormats : [];
  const results = candidates.map((format) => {
    const values = cells.map((cell) => convert(cell, kind, format));
    return { format, values, fitting: values.filter(Boolean).length };
  });
  // A few broken cells do not decide about a column: they are refused with their reason.
  const most = Math.max(0, ...results.map(({ fitting }) => fitting));
  const best = results.filter(({ fitting }) => fitting === most && most > 0);
  return best
    .filter(({ values }, index) =>
      best.slice(0, index).every((other) => values.some((value, at) => value !== other.values[at])),
    )
    .map(({ format }) => format);
}

/** The cell as the API takes it. A cell that does not fit stays as it is, and is refused with its own text. */
export const cellFor = (cell: string, kind: CellKind, format: CellFormat | undefined): string =>
  convert(cell, kind, format) ?? cell;

function convert(cell: string, kind: CellKind, format: CellFormat | undefined): string | undefined {
  const text = cell.trim();
  if (text === "") return "";
  if (kind === "decimal") return decimalOf(text, format === "comma" ? "," : ".");
  if (kind === "date") return dateOf(text, format ?? "ymd");
  if (kind === "boolean") return booleans.get(text.toLowerCase());
  return cell;
}

const booleans: ReadonlyMap<string, string> = new Map([
  ...["ja", "j", "y", "x", "wahr"].map((text) => [text, "true"] as const),
  ...["nein", "n", "falsch"].map((text) => [text, "false"] as const),
]);

/** "1.234,50 €" with a comma is 1234.50. Groups have three digits, so that "1.5" is no 15. */
function decimalOf(text: string, decimal: "," | "."): string | undefined {
  const bare = text.replace(/^[\p{Sc}\p{L}]+|[\p{Sc}\p{L}]+$/gu, "").replace(/[\s\u00a0\u202f'’]/g, "");
  const [, sign = "", whole = "", fraction] =
    (decimal === "," ? /^(-?)([\d.]+)(?:,(\d+|[-–]+))?$/ : /^(-?)([\d,]+)(?:\.(\d+|[-–]+))?$/).exec(bare) ??
    [];
  if (!/^(\d+|\d{1,3}([.,]\d{3})+)$/.test(whole)) return undefined;
  const digits = whole.replace(/[.,]/g, "").replace(/^0+(?=\d)/, "");
  // "12,–" and "12.--" are whole amounts.
  return `${sign}${digits}${fraction && /^\d/.test(fraction) ? `.${fraction}` : ""}`;
}

/** A day in the order of its parts, with any sign between them. A time of day behind it is left out. */
function dateOf(text: string, order: CellFormat): string | undefined {
  const [day = "", ...rest] = text.split(/[ T](?=\d{1,2}:\d{2})/);
  const parts = /^(\d{1,4})[./-](\d{1,2})[./-](\d{1,4})$/.exec(day.replace(/\s/g, ""))?.slice(1);
  if (parts === undefined || rest.length > 1) return undefined;
  const at = (letter: string): string => parts[order.indexOf(letter)] ?? "";
  const [year, month, date] = [at("y"), at("m"), at("d")];
  if (year.length !== 4 || Number(month) > 12 || month.length > 2 || date.length > 2) return undefined;
  const iso = `${year}-${month.padStart(2, "0")}-${date.padStart(2, "0")}`;
  const real = new Date(`${iso}T00:00:00Z`);
  return !Number.isNaN(real.getTime()) && real.toISOString().startsWith(iso) ? iso : undefined;
}
