import { snakeCase } from "./snake-case.ts";

/** A changed field, with its values as texts. If a side is absent, the field had no value. */
export type Change = { field: string; before?: string | undefined; after?: string | undefined };

/** The value of a field. An empty list counts as no value. */
type Value = string | number | boolean | Date | readonly string[] | undefined;

type Values = Readonly<Record<string, Value>>;

/** Limit of a text. Histories are kept for long, and they cannot refuse a change because of its length. */
const MAX_CHARACTERS = 4_000;

/** The record with the values of a change. A field that is undefined in the change stays as it is. */
export function withDefined<T extends object>(record: T, change: { [K in keyof T]?: T[K] | undefined }): T {
  const values = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...record, ...Object.fromEntries(values) };
}

/** The fields of `change` that differ, in the order of `record`. A field that is undefined was cleared. */
export function changesTo(record: object, change: object): Change[] {
  const named = (from: object): Values =>
    Object.fromEntries(Object.entries(from).filter(([field]) => Object.hasOwn(change, field)));
  return changesBetween(named(record), named(change));
}

/**
 * Returns the fields that differ, with their names in HTTP, in the order of `before`, then of `after`. Lists are
 * joined by spaces, texts are cut at 4,000 characters.
 */
export function changesBetween(before: Values, after: Values): Change[] {
  return Object.keys({ ...before, ...after }).flatMap((field) => {
    const [was, is] = [textOf(before[field]), textOf(after[field])];
    if (was === is) return [];
    return [
      {
        field: snakeCase(field),
        ...(was !== undefined && { before: cut(was) }),
        ...(is !== undefined && { after: cut(is) }),
      },
    ];
  });
}

function textOf(value: Value): string | undefined {
  if (value === undefined || typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (value instanceof Date) return value.toISOString();
  return value.length === 0 ? undefined : value.join(" ");
}

function cut(text: string): string {
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS - 1).toWellFormed()}…` : text;
}
