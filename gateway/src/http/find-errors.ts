import type { Ajv, ValidateFunction } from "ajv";
import type { FastifyError } from "fastify";

export type SchemaError = NonNullable<FastifyError["validation"]>[number];

/** Ajv stops at the first error or finds all: the 600,000 of a body of 8 MiB take 0.3 s, in which nobody is served. */
export const MAX_ERRORS = 100;

/** The parts of a JSON schema by which a value is taken apart. */
type Schema = {
  properties?: Readonly<Record<string, Schema>>;
  patternProperties?: Readonly<Record<string, Schema>>;
  additionalProperties?: boolean;
  items?: Schema;
  anyOf?: readonly Schema[];
};

/** Adds the errors of the value at a path until there are `most`. */
type Find = (value: unknown, path: string, errors: SchemaError[], most: number) => void;

/**
 * Creates the function that finds the errors of an invalid value as Ajv would, but stops after `most`. It adds a few
 * more where they belong to one union. Unknown fields come last in their object.
 *
 * @param ajv must find all errors
 */
export function errorFinder(ajv: Ajv, schema: object): (value: unknown, most?: number) => SchemaError[] {
  const find = finder(ajv, schema, "#");
  return (value, most = MAX_ERRORS) => {
    const errors: SchemaError[] = [];
    find(value, "", errors, most);
    return errors;
  };
}

function finder(ajv: Ajv, schema: Schema, schemaPath: string): Find {
  if (isSmall(schema)) return wholeValue(ajv, schema, schemaPath);
  const { properties = {}, patternProperties = {}, additionalProperties, items, anyOf, ...own } = schema;
  const small = Object.entries(properties).filter(([, inner]) => isSmall(inner));
  const large = Object.entries(properties).filter(([, inner]) => !isSmall(inner));
  const findOwn = wholeValue(ajv, { ...own, properties: Object.fromEntries(small) }, schemaPath);
  const inner = (part: Schema, path: string): Find => finder(ajv, part, `${schemaPath}/${path}`);
  const findLarge = large.map(([name, part]) => [name, inner(part, `properties/${name}`)] as const);
  const findMatching = Object.entries(patternProperties).map(
    ([pattern, part]) =>
      [new RegExp(pattern, "u"), inner(part, `patternProperties/${encodeURIComponent(pattern)}`)] as const,
  );
  const findItem = items && inner(items, "items");
  const findUnion = anyOf && union(ajv, anyOf, schemaPath);

  return (value, path, errors, most) => {
    const before = errors.length;
    findOwn(value, path, errors, most);
    findUnion?.(value, path, errors, most);
    if (Array.isArray(value)) {
      // A list that is too long is one error.
      if (findItem === undefined || errors.length > before) return;
      for (const [index, item] of value.entries()) {
        if (errors.length >= most) return;
        findItem(item, `${path}/${index}`, errors, most);
      }
    } else if (isObject(value)) {
      for (const [name, find] of findLarge) {
        if (errors.length < most && value[name] !== undefined)
          find(value[name], `${path}/${name}`, errors, most);
      }
      for (const name in value) {
        if (errors.length >= most) return;
        if (Object.hasOwn(properties, name)) continue;
        const matching = findMatching.filter(([pattern]) => pattern.test(name));
        for (const [, find] of matching) find(value[name], `${path}/${name}`, errors, most);
        if (matching.length === 0 && additionalProperties === false) {
          errors.push(unknownField(name, path, schemaPath));
        }
      }
    }
  };
}

/** Whether the schema limits how many errors a value can have: it contains no lists, and no objects. */
const isSmall = ({ properties, patternProperties, additionalProperties, items, anyOf = [] }: Schema) =>
  [properties, patternProperties, additionalProperties, items].every((part) => part === undefined) &&
  anyOf.every(isSmall);

/** Finds all errors of a value at once. Compiled when it is needed: most schemas never are. */
function wholeValue(ajv: Ajv, schema: Schema, schemaPath: string): Find {
  let check: ValidateFunction | undefined;
  return (value, path, errors) => {
    check ??= ajv.compile(schema);
    if (check(value)) return;
    for (const error of check.errors ?? []) {
      errors.push({
        ...error,
        instancePath: path + error.instancePath,
        schemaPath: schemaPath + error.schemaPath.slice(1),
      });
    }
  };
}

/** The errors of all branches, if none fits. The error of the union itself follows them, as `violationsOf` expects. */
function union(ajv: Ajv, branches: readonly Schema[], schemaPath: string): Find {
  const finders = branches.map((branch, index) => finder(ajv, branch, `${schemaPath}/anyOf/${index}`));
  return (value, path, errors, most) => {
    const ofBranches = finders.map((find) => {
      const own: SchemaError[] = [];
      find(value, path, own, most);
      return own;
    });
    if (ofBranches.some((own) => own.length === 0)) return;
    const message = "must match a schema in anyOf";
    errors.push(...ofBranches.flat(), {
      ...{ keyword: "anyOf", instancePath: path, schemaPath: `${schemaPath}/anyOf`, params: {}, message },
    });
  };
}

const unknownField = (name: string, path: string, schemaPath: string): SchemaError => ({
  keyword: "additionalProperties",
  instancePath: path,
  schemaPath: `${schemaPath}/additionalProperties`,
  params: { additionalProperty: name },
  message: "must NOT have additional properties",
});

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
