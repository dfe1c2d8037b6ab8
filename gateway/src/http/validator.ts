import { parseInstant } from "@asset-register/runtime";
import { Ajv, type Options, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import type { FastifySchemaCompiler } from "fastify";
import { errorFinder, type SchemaError } from "./find-errors.ts";
import { nullRemover } from "./optional-nulls.ts";
import { whenCalled } from "./when-called.ts";

/**
 * Compiles the schemas of requests, each when it is first needed. Bodies are not coerced: "12" is not a number. Query
 * strings, paths and headers contain only text and are coerced. In the body of a POST, null for an optional field is the
 * same as no field.
 *
 * Of a body it finds the first errors (`MAX_ERRORS`). Without `allErrors` it stops at the first one, for callers whom
 * nobody knows.
 */
export function validatorCompiler({ allErrors } = { allErrors: true }): FastifySchemaCompiler<object> {
  const compileBody = allErrors ? bodyCompiler() : firstErrorCompiler();
  const coercing = createAjv({ allErrors, useDefaults: true, coerceTypes: "array" });
  return ({ schema, httpPart, method }) => {
    if (httpPart !== "body") return whenCalled(() => withTextsOf(schema, coercing.compile(schema)));
    const validate = compileBody(schema);
    const removeNulls = method === "POST" ? nullRemover(schema) : undefined;
    if (removeNulls === undefined) return (body: unknown) => validate(body);
    return (body: unknown) => {
      removeNulls(body);
      return validate(body);
    };
  };
}

/** The outcome of a validation, with the first errors. */
export type Validated = true | { error: SchemaError[] };

/** Compiles the schema of a body, or of an item of one. The function that it returns finds about `most` errors. */
export function bodyCompiler(): (schema: object) => (value: unknown, most?: number) => Validated {
  const ajv = createAjv({ useDefaults: true });
  const collecting = createAjv({ allErrors: true });
  return (schema) => {
    const findErrors = whenCalled(() => errorFinder(collecting, schema));
    return whenCalled(() => {
      const check = ajv.compile(schema);
      return (value: unknown, most?: number) => {
        if (check(value)) return true;
        const [first] = check.errors ?? [];
        const found = findErrors(value, most);
        return { error: found.length > 0 || first === undefined ? found : [first] };
      };
    });
  };
}

/** An unknown field is reported before a missing one: it may be the same, misspelt. */
function firstErrorCompiler(): (schema: object) => (body: unknown) => Validated {
  const ajv = createAjv({ useDefaults: true });
  return (schema) =>
    whenCalled(() => {
      const checks: ValidateFunction[] = [ajv.compile(knownNames(schema)), ajv.compile(schema)];
      return (body) => {
        const failed = checks.find((check) => !check(body));
        return failed === undefined || { error: failed.errors ?? [] };
      };
    });
}

function createAjv(options: Options): Ajv {
  const ajv = new Ajv({ strict: false, ...options });
  addFormats.default(ajv, ["date", "email", "uuid", "uri"]);
  // The same function parses the value later. It refuses leap seconds and times without a zone.
  ajv.addFormat("date-time", (text) => parseInstant(text) !== undefined);
  return ajv;
}

/** A schema that checks only the names of the fields in a body. */
function knownNames({ properties = {}, ...schema }: { properties?: object; additionalProperties?: unknown }) {
  const names = Object.keys(properties).map((name) => [name, {}]);
  return { properties: Object.fromEntries(names), additionalProperties: schema.additionalProperties ?? true };
}

type Parameters = { properties?: Record<string, { type?: string; explode?: boolean }> };

/**
 * Reads the texts of a query as its schema means them. Integers have only decimal digits: Ajv would also coerce "0x10",
 * "1e1" and " 5". A list with `explode: false` is separated by commas; an error in it is about the parameter.
 */
function withTextsOf({ properties = {} }: Parameters, validate: ValidateFunction) {
  const namesOf = (kind: (schema: { type?: string; explode?: boolean }) => boolean) =>
    Object.keys(properties).filter((name) => kind(properties[name] ?? {}));
  const integers = namesOf(({ type }) => type === "integer");
  const lists = namesOf(({ explode }) => explode === false);
  return (values: Record<string, unknown>) => {
    for (const name of integers) {
      const value = values[name];
      if (typeof value === "string" && !/^-?\d+$/.test(value)) values[name] = "NaN";
    }
    for (const name of lists) {
      const value = values[name];
      if (value !== undefined) values[name] = [value].flat().flatMap((text) => String(text).split(","));
    }
    if (validate(values)) return true;
    const errors = validate.errors ?? [];
    return { error: lists.length === 0 ? errors : errors.map(withoutIndex(lists)) };
  };
}

const withoutIndex =
  (lists: readonly string[]) =>
  (error: SchemaError): SchemaError => {
    const [, name = ""] = error.instancePath.split("/");
    return lists.includes(name) ? { ...error, instancePath: `/${name}` } : error;
  };
