import type { FastifyRequest, RouteOptions } from "fastify";
import fp from "fastify-plugin";
import { unsupportedMediaType } from "../errors.ts";
import { createJsonParser } from "../http/json-body.ts";
import { body } from "../http/schemas.ts";

const WITH_BODY = new Set(["POST", "PUT", "PATCH"]);
const NO_FIELDS = body({});

const MERGE_PATCH = "application/merge-patch+json";
const PLAIN_JSON = "application/json";

/**
 * Which bodies a request may have:
 *
 * - JSON in UTF-8 without content-encoding, and nothing else. No object has a name twice, no text a lone surrogate.
 * - PATCH: a JSON merge patch (RFC 7396), as `application/merge-patch+json` or `application/json`.
 * - A route without a body schema accepts no fields.
 * - A missing body is a body without fields, so that an action can be posted without one.
 */
export const bodies = fp(async (app) => {
  const parseJson = createJsonParser(app);
  const parse = async (request: FastifyRequest, body: Buffer): Promise<unknown> =>
    body.length === 0 ? undefined : parseJson(request, body);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(PLAIN_JSON, { parseAs: "buffer" }, parse);
  app.addContentTypeParser(
    MERGE_PATCH,
    { parseAs: "buffer" },
    async (request: FastifyRequest, body: Buffer) => {
      if (request.method === "PATCH") return parse(request, body);
      throw unsupportedMediaType("Only PATCH accepts application/merge-patch+json. Send application/json.");
    },
  );

  // RFC 5789. It matters most on the 415 response to another content type.
  app.addHook("onRequest", (request, reply, done) => {
    const isPatch = request.method === "PATCH" && !request.is404;
    if (isPatch) reply.header("accept-patch", `${MERGE_PATCH}, ${PLAIN_JSON}`);
    done();
  });

  app.addHook("onRoute", (route) => {
    if (!hasFields(route)) return;
    route.schema = { ...route.schema, body: route.schema?.body ?? NO_FIELDS };
  });

  app.addHook("onRequest", (request, _reply, done) => {
    done(isEncoded(request) ? unsupportedMediaType("Send the body without content-encoding.") : undefined);
  });

  app.addHook("preValidation", (request, _reply, done) => {
    if (request.body === undefined && WITH_BODY.has(request.method)) request.body = {};
    done();
  });
});

/** Whether the body is parsed into fields. Readers sign the bytes of the body, so theirs are not. */
function hasFields({ method, config }: RouteOptions): boolean {
  const isReaders = config?.access !== undefined && "reader" in config.access;
  return !isReaders && typeof method === "string" && WITH_BODY.has(method);
}

function isEncoded({ headers }: FastifyRequest): boolean {
  const encoding = headers["content-encoding"];
  return encoding !== undefined && encoding.toLowerCase() !== "identity";
}
