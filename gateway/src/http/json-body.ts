import { isUtf8 } from "node:buffer";
import { hasLoneSurrogate, repeatsName } from "@asset-register/runtime";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { malformed } from "../errors.ts";

/** @throws AppError MALFORMED, or an error of Fastify that means it */
export type JsonParser = (request: FastifyRequest, text: Buffer) => unknown;

/** Parses JSON in UTF-8 in which no object has a name twice, and no text a lone surrogate. */
export function createJsonParser(app: FastifyInstance): JsonParser {
  const parse = app.getDefaultJsonParser("error", "error");
  return (request, bytes) => {
    if (!isUtf8(bytes)) throw malformed("The body is not UTF-8.");
    const text = bytes.toString("utf8");
    let result: { error: Error | null; value?: unknown } | undefined;
    parse(request, text, (error, value) => {
      result = { error, value };
    });
    if (result === undefined) throw new Error("Fastify parses JSON in the same turn");
    if (result.error !== null) throw result.error;
    const { value } = result;
    if (repeatsName(bytes, value)) throw malformed("An object in the body has a name twice.");
    if (hasLoneSurrogate(text, value)) throw malformed("A text in the body has a lone surrogate.");
    return value;
  };
}
