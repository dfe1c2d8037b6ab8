import type { TSchema } from "typebox";
import Type from "typebox";
import { exampleId, like, nullable } from "../schemas.ts";
import { type IdProperty, idProperties, type Schema } from "./id-properties.ts";

/** The keyword of a property that only `expand` adds: the values that add it. Examples leave such a property out. */
export const EXPAND_KEYWORD = "x-expand";

const name = like("Main warehouse");
const number = like("AST-000042");
const namedRecord = Type.Object({ id: like(exampleId("loc")), name }, { title: "NamedRecord" });
const namedAsset = Type.Object(
  { id: like(exampleId("ast")), number, name: like("ThinkPad X1") },
  { title: "NamedAsset" },
);
const namedAnyRecord = Type.Object(
  {
    id: like(exampleId("loc")),
    name,
    number: Type.Optional(Type.String({ description: "Of an asset", examples: ["AST-000042"] })),
  },
  { title: "NamedAnyRecord" },
);

/** Optional properties that routes with own values of `expand` add, by the title of the schema. */
export type OwnProperties = Readonly<Record<string, Type.TProperties>>;

/**
 * Creates the function that adds to a schema of responses, at any depth, the optional properties that `expand` adds. A
 * schema that it has returned stays as it is.
 *
 * @throws Error at boot when a schema already has a property of that name
 */
export function schemaExpander(own: OwnProperties = {}): (schema: Schema) => Schema {
  const known = new WeakMap<Schema, Schema>();

  function expanded(schema: Schema): Schema {
    const done = known.get(schema);
    if (done) return done;
    const result = copy(schema);
    known.set(schema, result);
    known.set(result, result);
    return result;
  }

  function copy(schema: Schema): Schema {
    const { title = "", properties, anyOf, items } = schema;
    return {
      ...schema,
      ...(anyOf && { anyOf: anyOf.map(expanded) }),
      ...(items && { items: expanded(items) }),
      ...(properties && {
        properties: {
          ...Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, expanded(one)])),
          ...addedProperties(schema, properties),
          ...own[title],
        },
      }),
    };
  }

  return expanded;
}

function addedProperties(schema: Schema, properties: object): Record<string, TSchema> {
  const added = idProperties(schema).map((one): [string, TSchema] => {
    if (one.target in properties) {
      throw new Error(
        `expand can't add ${one.target} to ${schema.title ?? "a schema"}: it has that property`,
      );
    }
    return [one.target, addedSchema(one)];
  });
  return Object.fromEntries(added);
}

function addedSchema({ form, values }: IdProperty): TSchema {
  const by = [...new Set([...values.values()].flat())];
  const about = {
    description: `With ${by.map((value) => `\`expand=${value}\``).join(" or ")}. Null: the name is not known`,
    [EXPAND_KEYWORD]: by,
  };
  if (form === "actor") return nullable(Type.String({ ...about, examples: ["Ada Lovelace"] }));
  const record = !by.includes("asset") ? namedRecord : by.length === 1 ? namedAsset : namedAnyRecord;
  if (form === "list") return Type.Array(nullable(record), about);
  return nullable({ ...record, ...about });
}
