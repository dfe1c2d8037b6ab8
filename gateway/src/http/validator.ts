import { parseInstant } from "@asset-register/runtime";
import { Ajv, type ValidateFunction } from "ajv";
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
  return ({ schema, httpPart }) =>
    httpPart === "body"
      ? listsFirst(strict.compile(listLengths(schema)), strict.compile(schema))
      : plainNumbers(schema, coercing.compile(schema));
}

/** Of a body's schema, how long its lists may be. */
function listLengths({ properties = {} }: { properties?: Record<string, { maxItems?: number }> }) {
  const lengths = Object.entries(properties).flatMap(([name, { maxItems }]) =>
    maxItems === undefined ? [] : [[name, { maxItems }]],
  );
  return { properties: Object.fromEntries(lengths) };
}

/** A list that is too long is refused alone: with 100,000 items, each with its faults, Ajv is busy for half a second. */
const listsFirst = (lists: ValidateFunction, validate: ValidateFunction) => (body: unknown) => {
  const failed = [lists, validate].find((check) => !check(body));
  return failed === undefined || { error: failed.errors ?? [] };
};

/** Of a query: Ajv alone would coerce "0x10", "1e1" and " 5" to numbers too. */
function plainNumbers(
  { properties = {} }: { properties?: Record<string, { type?: string }> },
  validate: ValidateFunction,
) {
  const names = Object.keys(properties).filter((name) => properties[name]?.type === "integer");
  return (values: Record<string, unknown>) => {
    for (const name of names) {
      const value = values[name];
      if (typeof value === "string" && !/^-?\d+$/.test(value)) values[name] = "NaN";
    }
    return validate(values) || { error: validate.errors ?? [] };
  };
}
