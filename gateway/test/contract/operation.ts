import type { Document, Operation, Schema } from "../../src/openapi/types.ts";

/** Names of all parameters of an operation in path, query and body. `events.epc` is a field of the items of `events`. */
export function parametersOf(operation: Operation, document: Document): Set<string> {
  const named = (operation.parameters ?? []).flatMap((parameter) =>
    "name" in parameter ? [parameter.name] : [],
  );
  const schemas = Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) =>
    schema === undefined ? [] : [schema],
  );
  return new Set([...named, ...schemas.flatMap((schema) => fieldsOf(schema, document))]);
}

function fieldsOf(schema: Schema, document: Document): string[] {
  const resolved = resolve(schema, document);
  const own = Object.entries(resolved.properties ?? {}).flatMap(([name, property]) => [
    name,
    ...fieldsOf(property, document).map((inner) => `${name}.${inner}`),
  ]);
  const alternatives = (resolved.anyOf ?? []).flatMap((branch) => fieldsOf(branch, document));
  const items = resolved.items === undefined ? [] : fieldsOf(resolved.items, document);
  return [...own, ...alternatives, ...items];
}

const PREFIX = "#/components/schemas/";

function resolve(schema: Schema, { components }: Document): Schema {
  const { $ref } = schema;
  if (typeof $ref !== "string") return schema;
  const found = components.schemas[$ref.slice(PREFIX.length)];
  if (found === undefined) throw new Error(`The document has no ${$ref}`);
  return found;
}

/** The access of an operation, in the terms of interface-rows.ts. */
export function accessOf(operation: Operation): string {
  const right = operation["x-required-scope"] ?? operation["x-required-capability"];
  if (typeof right === "string") return right;
  const [scheme] = (operation.security as Record<string, unknown>[]).flatMap(Object.keys);
  if (scheme === undefined) return "public";
  return BY_SCHEME[scheme] ?? scheme;
}

const BY_SCHEME: Record<string, string> = {
  apiKey: "any key",
  session: "signed in",
  readerSignature: "reader",
};
