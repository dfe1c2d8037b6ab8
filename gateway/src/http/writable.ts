import Type, { type TSchema } from "typebox";
import { orNull } from "./optional-nulls.ts";
import { body } from "./schemas.ts";
import { definedOnly, withoutLimits } from "./without-limits.ts";

type InNew = "required" | "optional" | "absent";
type InPatch = "plain" | "clearable" | "absent";

/** A property of a record that callers write: its schemas, and which requests have it. */
export type Writable<S extends TSchema = TSchema, N extends InNew = InNew, P extends InPatch = InPatch> = {
  /** In the body of a new record. */
  written: S;
  /** In the body of a PATCH. */
  patched: TSchema;
  /** In responses. */
  shown: TSchema;
  inNew: N;
  inPatch: P;
  /** Of a `group`. A PATCH changes them one by one. */
  fields?: Fields | undefined;
};

/** The properties of a record, or of an object in it. One that is a plain schema is read-only. */
export type Fields = Readonly<Record<string, TSchema | Writable>>;

/** The differences from the schema in a new record. */
type Differences = {
  /** In responses: keywords, or a whole schema. By default it has no limits, and it may be null if it can be cleared. */
  shown?: object;
  /** In a PATCH: keywords. */
  patched?: object;
};

/** The schemas of a value that differs in requests and responses. */
type Form<S extends TSchema> = Pick<Writable<S>, "written" | "shown" | "fields">;

type Declare<N extends InNew, P extends InPatch> = <S extends TSchema>(
  value: S | Form<S>,
  differences?: Differences,
) => Writable<S, N, P>;

const declare =
  <N extends InNew, P extends InPatch>(inNew: N, inPatch: P): Declare<N, P> =>
  (value, { shown = {}, patched } = {}) => {
    const form = "written" in value ? value : { written: value, shown: withoutLimits(value) };
    const orCleared = (schema: TSchema) => (inPatch === "clearable" ? orNull(schema) : schema);
    return {
      written: form.written,
      // A default value would change a record whose PATCH does not contain the field.
      patched: orCleared(definedOnly({ ...form.written, default: undefined, ...patched })),
      shown: "type" in shown ? shown : definedOnly({ ...orCleared(form.shown), ...shown }),
      inNew,
      inPatch,
      fields: form.fields,
    };
  };

/** A new record must have it. It always has a value: null does not clear it. */
export const required = declare("required", "plain");
/** It may be left out, null clears it, and it is null in the responses. */
export const optional = declare("optional", "clearable");
/** It may be left out of a new record, which then has a default value. Null does not clear it. */
export const defaulted = declare("optional", "plain");
/** A new record has a value that callers do not choose. */
export const onlyChanged = declare("absent", "plain");

/** It never changes after the creation. */
export const fixed = <S extends TSchema, N extends InNew>(
  field: Writable<S, N>,
): Writable<S, N, "absent"> => ({
  ...field,
  inPatch: "absent",
});

/** An object in a record. A PATCH changes its fields one by one. */
export const group = <const F extends Fields>(
  fields: F,
  about: { description?: string } = {},
): Form<Type.TObject<NewProperties<F>>> => ({
  written: body(newProperties(fields), about),
  shown: Type.Object(shownProperties(fields), about),
  fields,
});

/** A list of objects in a record. A PATCH replaces the whole list. */
export const listOf = <const F extends Fields>(
  fields: F,
  limits: { maxItems: number; description?: string },
): Form<Type.TArray<Type.TObject<NewProperties<F>>>> => {
  const { written, shown } = group(fields);
  const { maxItems: _, ...about } = limits;
  return { written: Type.Array(written, limits), shown: Type.Array(shown, about) };
};

/** The properties in the body of a new record. */
export type NewProperties<F extends Fields> = {
  [K in keyof F as F[K] extends Writable<TSchema, "required" | "optional">
    ? K
    : never]: F[K] extends Writable<infer S, infer N>
    ? N extends "optional"
      ? Type.TOptional<S>
      : S
    : never;
};

/** The properties in the body of a PATCH. */
export type PatchProperties<F extends Fields> = {
  [K in keyof F as F[K] extends Writable<TSchema, InNew, "plain" | "clearable">
    ? K
    : never]: F[K] extends Writable<infer S, InNew, infer P>
    ? Type.TOptional<Type.TUnsafe<P extends "clearable" ? Type.Static<S> | null : Type.Static<S>>>
    : never;
};

/** The properties in responses. */
export type ShownProperties<F extends Fields> = {
  [K in keyof F]: F[K] extends Writable<infer S, InNew, infer P>
    ? Type.TUnsafe<P extends "clearable" ? Type.Static<S> | null : Type.Static<S>>
    : F[K] extends TSchema
      ? F[K]
      : never;
};

/* The casts hold because each function makes the properties as its type has them. */

export const newProperties = <F extends Fields>(fields: F): NewProperties<F> =>
  propertiesFrom(fields, ({ inNew, written }) =>
    inNew === "absent" ? undefined : inNew === "optional" ? Type.Optional(written) : written,
  ) as NewProperties<F>;

export const patchProperties = <F extends Fields>(fields: F): PatchProperties<F> =>
  propertiesFrom(fields, ({ inPatch, patched, fields: inner }) =>
    inPatch === "absent"
      ? undefined
      : Type.Optional(inner ? withProperties(patched, patchProperties(inner)) : patched),
  ) as PatchProperties<F>;

export const shownProperties = <F extends Fields>(fields: F): ShownProperties<F> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, isWritable(field) ? field.shown : field]),
  ) as ShownProperties<F>;

/** The schema of an object with other properties, all of which are optional. */
const withProperties = (schema: TSchema, properties: Type.TProperties): TSchema =>
  definedOnly({ ...schema, properties, required: undefined });

export const isWritable = (field: TSchema | Writable): field is Writable => "inNew" in field;

function propertiesFrom(
  fields: Fields,
  schemaOf: (field: Writable) => TSchema | undefined,
): Record<string, TSchema> {
  const properties: Record<string, TSchema> = {};
  for (const [name, field] of Object.entries(fields)) {
    const schema = isWritable(field) ? schemaOf(field) : undefined;
    if (schema !== undefined) properties[name] = schema;
  }
  return properties;
}
