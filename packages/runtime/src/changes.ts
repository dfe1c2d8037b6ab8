import { snakeCase } from "./snake-case.ts";

/** A field before and after, in words; an absent side was not there. */
export type Change = { field: string; before?: string | undefined; after?: string | undefined };

/** What a field may hold. An empty list is like none. */
type Value = string | number | Date | readonly string[] | undefined;

type Values = Readonly<Record<string, Value>>;

/** Kept of a text: logs of changes are kept for long, and a change can't be refused for its length there. */
const MAX_CHARACTERS = 4_000;

/** The fields that differ, by their names in HTTP, in the order of `before`, then of `after`. */
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
  if (typeof value === "number") return String(value);
  if (value instanceof Date) return value.toISOString();
  return value.length === 0 ? undefined : value.join(" ");
}

function cut(text: string): string {
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS - 1).toWellFormed()}…` : text;
}
