/** The parts of a JSON schema that matter here. */
type Schema = {
  type?: string | readonly string[];
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
};

/**
 * Creates the function that removes each optional field whose value is null from the body of a POST: http.md says that
 * null means the same as leaving the field out. A required field stays, so that validation refuses its null. Returns
 * undefined if no body of this schema can have such a field.
 */
export function nullRemover({
  properties = {},
  required = [],
  items,
}: Schema): ((body: unknown) => void) | undefined {
  const inItems = items && nullRemover(items);
  const optional = Object.entries(properties).flatMap(([name, schema]) =>
    required.includes(name) || takesNull(schema) ? [] : [name],
  );
  const nested = Object.entries(properties).flatMap(([name, schema]) => {
    const remove = nullRemover(schema);
    return remove ? [[name, remove] as const] : [];
  });
  if (!inItems && optional.length === 0 && nested.length === 0) return undefined;
  return (body) => {
    if (inItems && Array.isArray(body)) for (const item of body) inItems(item);
    if (!isObject(body)) return;
    for (const name of optional) if (body[name] === null) delete body[name];
    for (const [name, remove] of nested) remove(body[name]);
  };
}

/** The schema for the documents: it says that the fields which `nullRemover` removes may be null. */
export function withOptionalNulls<S extends Schema>(schema: S): S {
  const { properties, required = [], items } = schema;
  const described =
    properties &&
    Object.fromEntries(
      Object.entries(properties).map(([name, inner]) => {
        const deep = withOptionalNulls(inner);
        return [name, required.includes(name) ? deep : orNull(deep)];
      }),
    );
  return {
    ...schema,
    ...(described && { properties: described }),
    ...(items && { items: withOptionalNulls(items) }),
  };
}

/** The schema, or null. */
export function orNull<S extends Schema>(schema: S): S {
  if (takesNull(schema)) return schema;
  const { type, enum: values, anyOf = [] } = schema;
  if (type === undefined && values === undefined) return { ...schema, anyOf: [...anyOf, { type: "null" }] };
  return {
    ...schema,
    ...(type !== undefined && { type: [...[type].flat(), "null"] }),
    ...(values !== undefined && { enum: [...values, null] }),
  };
}

function takesNull({ type, enum: values, anyOf = [] }: Schema): boolean {
  if (type !== undefined) return [type].flat().includes("null");
  return values?.includes(null) === true || anyOf.some(takesNull);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
