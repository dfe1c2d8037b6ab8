import { isDeepStrictEqual } from "node:util";
import { EXPAND_KEYWORD } from "../http/expand/expanded-schema.ts";
import type { Schema } from "./types.ts";

/** Keywords whose value is one schema, a list of schemas, or schemas by name. */
const ONE = ["items", "additionalProperties", "not"];
const LISTS = ["anyOf", "oneOf", "allOf"];
const MAPS = ["properties", "patternProperties"];

/**
 * Moves every schema with a title into `schemas`, at any depth, and puts a reference in its place, so that a document
 * describes each type of record once. A schema that allows null stays nullable where it is used.
 *
 * @throws Error for two different schemas with the same title
 */
export function hoist(schema: Schema, schemas: Record<string, Schema>): Schema {
  const inner = mapParts(schema, (part) => hoist(part, schemas));
  const { title } = inner;
  if (title === undefined) return inner;
  if (EXPAND_KEYWORD in inner) return hoistExpanded(inner, schemas);
  const { component, nullable } = toComponent(inner);
  const known = schemas[title];
  if (known !== undefined && !isDeepStrictEqual(known, component)) {
    throw new Error(`Two different schemas have the title ${title}`);
  }
  schemas[title] = component;
  const reference = { $ref: `#/components/schemas/${title}` };
  return nullable ? { anyOf: [reference, { type: "null" }] } : reference;
}

/** A property that `expand` adds: which values do so stays beside the reference. */
function hoistExpanded(schema: Schema, schemas: Record<string, Schema>): Schema {
  const { [EXPAND_KEYWORD]: by, description, ...record } = schema;
  return { ...hoist(record, schemas), ...{ description, [EXPAND_KEYWORD]: by } };
}

/** The schema without null. Generators name its class after the title. */
function toComponent(schema: Schema): { component: Schema; nullable: boolean } {
  if (!Array.isArray(schema.type)) return { component: schema, nullable: false };
  const [type, ...others] = schema.type.filter((one) => one !== "null");
  if (type === undefined || others.length > 0) return { component: schema, nullable: false };
  const examples = schema.examples?.filter((example) => example !== null) ?? [];
  const component = { ...schema, type, ...(schema.examples && { examples }) };
  if (examples.length === 0) delete component.examples;
  return { component, nullable: schema.type.includes("null") };
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A copy of the schema, with `change` applied to the schemas directly inside it. */
function mapParts(schema: Schema, change: (part: Schema) => Schema): Schema {
  const changed: Schema = { ...schema };
  for (const keyword of ONE) {
    const part = schema[keyword];
    if (isSchema(part)) changed[keyword] = change(part);
  }
  for (const keyword of LISTS) {
    const parts = schema[keyword];
    if (Array.isArray(parts)) changed[keyword] = parts.map((part) => (isSchema(part) ? change(part) : part));
  }
  for (const keyword of MAPS) {
    const parts = schema[keyword];
    if (!isSchema(parts)) continue;
    changed[keyword] = Object.fromEntries(
      Object.entries(parts).map(([name, part]) => [name, isSchema(part) ? change(part) : part]),
    );
  }
  return changed;
}
