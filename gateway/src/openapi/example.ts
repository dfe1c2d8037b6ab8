import { EXPAND_KEYWORD } from "../http/expand/expanded-schema.ts";
import type { Schema } from "./types.ts";

const BY_FORMAT: Record<string, string> = {
  "date-time": "2026-01-31T09:30:00.000Z",
  date: "2026-01-31",
  email: "ada@example.com",
  uuid: "0b4f8a5e-6d0c-4c0e-9a53-3d8f0f4f2a11",
  uri: "https://example.com/hook",
};

const BY_TYPE: Record<string, unknown> = { string: "text", boolean: false, null: null };

/** A valid value of a schema: its own example, or one that is built from its properties or items. */
export function exampleOf(schema: Schema): unknown {
  if (schema.examples?.[0] !== undefined) return schema.examples[0];
  if ("const" in schema) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum?.[0] !== undefined) return schema.enum[0];
  if (schema.anyOf?.[0] !== undefined) return exampleOf(schema.anyOf[0]);
  const [type] = [schema.type ?? "object"].flat();
  if (type === "object") {
    const properties = Object.entries(schema.properties ?? {}).filter(([, one]) => !(EXPAND_KEYWORD in one));
    return Object.fromEntries(properties.map(([name, property]) => [name, exampleOf(property)]));
  }
  if (type === "array") return schema.items === undefined ? [] : [exampleOf(schema.items)];
  if (type === "integer" || type === "number") return schema.minimum ?? 1;
  return BY_FORMAT[String(schema.format)] ?? BY_TYPE[type ?? "null"] ?? null;
}

/** A TypeBox schema as plain JSON Schema, without symbols and undefined values. */
export const plainSchema = (schema: unknown): Schema => JSON.parse(JSON.stringify(schema));
