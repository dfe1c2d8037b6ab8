import { isDeepStrictEqual } from "node:util";
import type { Schema } from "./types.ts";

/** Keywords that hold one schema, a list of them, or some by name. */
const ONE = ["items", "additionalProperties", "not"];
const LISTS = ["anyOf", "oneOf", "allOf"];
const MAPS = ["properties", "patternProperties"];

/**
 * Moves every schema that has a title into `schemas` and leaves a reference
 * behind: what a record looks like is said once. A title that may be null
 * stays nullable where it is used.
 *
 * @throws Error for two different schemas with one title
 */
export function hoist(schema: Schema, schemas: Record<string, Schema>): Schema {
  const inner = mapParts(schema, (part) => hoist(part, schemas));
  const { title } = inner;
  if (title === undefined) return inner;
  const { titled, nullable } = withoutNull(inner);
  const known = schemas[title];
  if (known !== undefined && !isDeepStrictEqual(known, titled)) {
    throw new Error(`Two different schemas have the title ${title}`);
  }
  schemas[title] = titled;
  const reference = { $ref: `#/components/schemas/${title}` };
  return nullable ? { anyOf: [reference, { type: "null" }] } : reference;
}

function withoutNull({ title, ...schema }: Schema): { titled: Schema; nullable: boolean } {
  if (!Array.isArray(schema.type)) return { titled: schema, nullable: false };
  const [type, ...others] = schema.type.filter((one) => one !== "null");
  if (type === undefined || others.length > 0) return { titled: schema, nullable: false };
  return { titled: { ...schema, type }, nullable: schema.type.includes("null") };
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

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
