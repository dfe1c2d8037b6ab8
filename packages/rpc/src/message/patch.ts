import { invalid } from "@asset-register/runtime";
import type { Message } from "@bufbuild/protobuf";
import type { FieldMask } from "@bufbuild/protobuf/wkt";
import { z } from "zod";
import { parse } from "./parse.ts";

/** The fields that a patch names. One without a value is present and undefined: it is cleared. */
export type Patch<T> = { [K in keyof T]?: T[K] | undefined };

/**
 * The changes of an update: the fields of `record` that `mask` names, parsed with `schema`. A field of the schema that
 * is required can't be cleared. An empty mask changes nothing. With `within`, `record` is the nested message of that
 * name: only paths such as `template.title` count, and errors name them so.
 *
 * @throws AppError VALIDATION_FAILED, also for a field that the schema does not have
 */
export function parsePatch<S extends z.ZodObject>(
  schema: S,
  record: Message | undefined,
  mask: Pick<FieldMask, "paths"> | undefined,
  within?: string,
): Patch<z.output<S>> {
  const prefix = within === undefined ? "" : `${within}.`;
  const named = (mask?.paths ?? []).filter((path) => path.startsWith(prefix));
  const paths = [...new Set(named.map((path) => path.slice(prefix.length)))];
  const names = paths.map(camelCase);
  const unknown = paths.filter((_, index) => !Object.hasOwn(schema.shape, names[index] ?? ""));
  if (unknown.length > 0) {
    throw invalid(unknown.map((path) => ({ field: `${prefix}${path}`, message: "can't be changed" })));
  }
  const values = (record ?? {}) as Readonly<Record<string, unknown>>;
  const shape = z.object(Object.fromEntries(names.map((name) => [name, schema.shape[name] ?? z.never()])));
  const given = Object.fromEntries(names.map((name) => [name, values[name]]));
  const parsed =
    within === undefined
      ? parse(shape, given)
      : parse(z.object({ [within]: shape }), { [within]: given })[within];
  // The cast holds because each value was parsed by its own schema.
  return Object.fromEntries(names.map((name) => [name, parsed?.[name]])) as Patch<z.output<S>>;
}

/** The local name of a field: "location_ids" is locationIds. */
const camelCase = (path: string): string =>
  path.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
