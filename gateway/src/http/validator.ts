import { parseInstant } from "@asset-register/runtime";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import type { FastifySchemaCompiler } from "fastify";

/**
 * Bodies are taken as they are written: "12" is no number and an unknown field
 * is refused. Query strings and paths, which know only text, are coerced.
 */
export function validatorCompiler(): FastifySchemaCompiler<object> {
  const strict = new Ajv({ allErrors: true, useDefaults: true, strict: false });
  const coercing = new Ajv({ allErrors: true, useDefaults: true, coerceTypes: "array", strict: false });
  for (const ajv of [strict, coercing]) {
    addFormats.default(ajv, ["date", "email", "uuid", "uri"]);
    // What passes here is parsed by the same function: neither takes a leap second or a time without zone.
    ajv.addFormat("date-time", (text) => parseInstant(text) !== undefined);
  }
  return ({ schema, httpPart }) => (httpPart === "body" ? strict : coercing).compile(schema);
}
