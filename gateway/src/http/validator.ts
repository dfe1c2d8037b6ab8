import { parseInstant } from "@asset-register/runtime";
import { Ajv, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import type { FastifySchemaCompiler } from "fastify";
import { nullRemover } from "./optional-nulls.ts";

/**
 * Compiles the schemas of requests. Bodies are not coerced: "12" is not a number. Query strings, paths and headers
 * contain only text and are coerced. In the body of a POST, null for an optional field is the same as no field.
 *
 * Without `allErrors` it stops at the first error, for callers whom nobody knows: to collect the errors of a body with
 * many unknown fields takes 150 ms a MiB.
 */
export function validatorCompiler({ allErrors } = { allErrors: true }): FastifySchemaCompiler<object> {
  const strict = new Ajv({ allErrors, useDefaults: true, strict: false });
  const coercing = new Ajv({ allErrors, useDefaults: true, coerceTypes: "array", strict: false });
  for (const ajv of [strict, coercing]) {
    addFormats.default(ajv, ["date", "email", "uuid", "uri"]);
    // The same function parses the value later. It refuses leap seconds and times without a zone.
    ajv.addFormat("date-time", (text) => parseInstant(text) !== undefined);
  }
  return ({ schema, httpPart, method }) => {
    if (httpPart !== "body") return withDecimalIntegers(schema, coercing.compile(schema));
    // Without all errors, an unknown field is reported before a missing one: it may be the same, misspelt.
    const first = allErrors ? listLengths(schema) : knownNames(schema);
    const validate = inOrder(strict.compile(first), strict.compile(schema));
    const removeNulls = method === "POST" ? nullRemover(schema) : undefined;
    if (removeNulls === undefined) return validate;
    return (body: unknown) => {
      removeNulls(body);
      return validate(body);
    };
  };
}

/** A schema that checks only the lengths of the lists in a body. */
function listLengths({ properties = {} }: { properties?: Record<string, { maxItems?: number }> }) {
  const lengths = Object.entries(properties).flatMap(([name, { maxItems }]) =>
    maxItems === undefined ? [] : [[name, { maxItems }]],
  );
  return { properties: Object.fromEntries(lengths) };
}

/** A schema that checks only the names of the fields in a body. */
function knownNames({ properties = {}, ...schema }: { properties?: object; additionalProperties?: unknown }) {
  const names = Object.keys(properties).map((name) => [name, {}]);
  return { properties: Object.fromEntries(names), additionalProperties: schema.additionalProperties ?? true };
}

/**
 * Checks the lengths of lists or the names first: Ajv needs half a second for a list of 100,000 items that each have
 * errors.
 */
const inOrder = (first: ValidateFunction, validate: ValidateFunction) => (body: unknown) => {
  const failed = [first, validate].find((check) => !check(body));
  return failed === undefined || { error: failed.errors ?? [] };
};

/** Allows only decimal digits for integers in a query: Ajv would also coerce "0x10", "1e1" and " 5". */
function withDecimalIntegers(
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
