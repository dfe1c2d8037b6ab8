import type { TSchema } from "typebox";
import { orNull } from "./optional-nulls.ts";
import { isIdSchema } from "./schemas.ts";

/** The parts of a JSON schema that matter here. */
type Schema = {
  title?: string;
  type?: string | readonly string[];
  examples?: readonly unknown[];
  maxLength?: number;
  anyOf?: readonly Schema[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
};

const LIMITS = [
  ...["minLength", "maxLength", "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
  ...["minItems", "maxItems", "default", "additionalProperties"],
];

/**
 * The schema in responses of a value whose schema in requests is `schema`. Limits concern requests only: a later release
 * may raise them. A schema with a title is one component of the documents, so it stays as it is. An id keeps its length.
 * An amount, which a request may write as a text, is a number. The optional fields of an object are always there, and
 * may be null.
 */
export function withoutLimits(schema: TSchema): TSchema {
  return convert(schema);
}

function convert(schema: Schema): Schema {
  const { title, anyOf, properties, required = [], items } = schema;
  if (title !== undefined || isIdSchema(schema)) return schema;
  const [first] = anyOf ?? [];
  if (first?.type === "number") return convert({ ...schema, ...first, anyOf: undefined } as Schema);
  const kept = Object.entries(schema).filter(
    ([name, value]) => value !== undefined && !LIMITS.includes(name),
  );
  return {
    ...Object.fromEntries(kept),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, inner]) => {
          const shown = convert(inner);
          return [name, required.includes(name) ? shown : orNull(shown)];
        }),
      ),
      required: Object.keys(properties),
    }),
    ...(items && { items: convert(items) }),
  };
}

/** A schema without the keywords that are undefined. */
export const definedOnly = (schema: object): TSchema =>
  Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
