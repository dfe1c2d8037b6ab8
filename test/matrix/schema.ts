/** The part of JSON Schema that route schemas use. */
export type JsonSchema = {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  patternProperties?: Record<string, JsonSchema>;
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  minItems?: number;
  minProperties?: number;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  examples?: unknown[];
  format?: string;
  minLength?: number;
  minimum?: number;
};

type Path = readonly (string | number)[];

/** A path in a body. `bodyWith(value)` is the smallest valid body with the value at this path. */
export type BodyPath = { path: string; schema: JsonSchema; bodyWith(value: unknown): unknown };

/** The form of example ids (`exampleId` of the gateway). The prefix is the kind of the record. */
const EXAMPLE_ID = /^([a-z]+)_01k8f70a4bfhkv5wq2t4r7z1xe$/;

/** The kind of record that a field names by its id. Undefined for other fields. */
export function kindOf({ examples }: JsonSchema): string | undefined {
  return EXAMPLE_ID.exec(String(examples?.[0]))?.[1];
}

export const FORMATS: Record<string, string> = {
  "date-time": "2035-01-31T09:30:00.000Z",
  date: "2035-01-31",
  email: "someone@example.com",
  uuid: "5b1f0e6e-2f4c-4d0a-9a53-1b7a6a2a7f11",
  uri: "https://example.com/",
  // The first bytes of a WebP image, which are text.
  binary: "RIFF\u0010\u0000\u0000\u0000WEBPVP8 ",
};

/**
 * The smallest value that a schema accepts: only required properties and as many others as it needs, the first alternative, the first example of a
 * scalar. Examples of objects are not used, because they contain optional properties.
 * @throws Error for a schema of an unknown form
 */
export function sample(schema: JsonSchema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf?.[0] !== undefined) return sample(schema.anyOf[0]);
  if (schema.examples !== undefined && isScalar(schema)) return schema.examples[0];
  switch ([schema.type].flat()[0]) {
    case "object":
      return Object.fromEntries(
        neededProperties(schema).map((name) => [name, sample(schema.properties?.[name] ?? {})]),
      );
    case "array":
      return Array.from({ length: schema.minItems ?? 0 }, () => sample(schema.items ?? {}));
    case "integer":
    case "number":
      return schema.minimum ?? 1;
    case "boolean":
      return true;
    case "string":
      return FORMATS[schema.format ?? ""] ?? "x".repeat(Math.max(schema.minLength ?? 0, 1));
    default:
      throw new Error(`no sample for the schema ${JSON.stringify(schema)}: add its form to schema.ts`);
  }
}

function neededProperties({ required = [], properties = {}, minProperties = 0 }: JsonSchema): string[] {
  const others = Object.keys(properties).filter((name) => !required.includes(name));
  return [...required, ...others.slice(0, Math.max(0, minProperties - required.length))];
}

/** Every path of a body, including objects and lists. The path of the body itself is "". */
export function bodyPaths(schema: JsonSchema): BodyPath[] {
  return [...walk(schema, [], (value) => value)];
}

function* walk(schema: JsonSchema, path: Path, bodyWith: BodyPath["bodyWith"]): Generator<BodyPath> {
  const branches = schema.anyOf?.filter(({ type }) => type === "object" || type === "array") ?? [];
  for (const branch of branches) yield* walk(branch, path, bodyWith);
  if (branches.length > 0) return;
  yield { path: path.join("."), schema, bodyWith };
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    yield* walk(property, [...path, name], (value) =>
      bodyWith({ ...(sample(schema) as object), [name]: value }),
    );
  }
  if (schema.items !== undefined) {
    const rest = (sample(schema) as unknown[]).slice(1);
    yield* walk(schema.items, [...path, 0], (value) => bodyWith([value, ...rest]));
  }
}

/** Also an object that may be null. */
export const isObject = ({ type }: JsonSchema): boolean => [type].flat().includes("object");
export const isScalar = (schema: JsonSchema): boolean => !isObject(schema) && schema.type !== "array";

/** A copy of the value in which `idOf` replaces each example id. If `idOf` has none of its kind, the id stays. */
export async function withIds(
  value: unknown,
  idOf: (kind: string) => Promise<string | undefined>,
): Promise<unknown> {
  if (typeof value === "string") {
    const kind = EXAMPLE_ID.exec(value)?.[1];
    return (kind && (await idOf(kind))) ?? value;
  }
  if (Array.isArray(value)) return Promise.all(value.map((item) => withIds(item, idOf)));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(async ([name, field]) => [name, await withIds(field, idOf)]);
  return Object.fromEntries(await Promise.all(entries));
}
