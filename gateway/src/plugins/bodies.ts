import type { FastifyBodyParser, FastifyRequest, RouteOptions } from "fastify";
import fp from "fastify-plugin";
import { unsupportedMediaType } from "../errors.ts";
import { body } from "../http/schemas.ts";

const WITH_BODY = new Set(["POST", "PUT", "PATCH"]);
const NO_FIELDS = body({});

const MERGE_PATCH = "application/merge-patch+json";
const JSON_ITSELF = "application/json";

/**
 * Bodies are JSON and nothing else, of PATCH a merge patch (RFC 7396) under
 * either name. A route that declares none takes no field, and no body at all is
 * a body without fields: an action can be posted bare.
 */
export const bodies = fp(async (app) => {
  const parseJson = app.getDefaultJsonParser("error", "error");
  const parse: FastifyBodyParser<string> = (request, text, done) => {
    if (text === "") done(null, undefined);
    else parseJson(request, text, done);
  };
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(JSON_ITSELF, { parseAs: "string" }, parse);
  app.addContentTypeParser(MERGE_PATCH, { parseAs: "string" }, (request, text: string, done) => {
    if (request.method === "PATCH") parse(request, text, done);
    else done(unsupportedMediaType("A merge patch is for PATCH"));
  });

  // RFC 5789: above all, the answer to a type that was refused.
  app.addHook("onRequest", (request, reply, done) => {
    const patches = request.method === "PATCH" && !request.is404;
    if (patches) reply.header("accept-patch", `${MERGE_PATCH}, ${JSON_ITSELF}`);
    done();
  });

  app.addHook("onRoute", (route) => {
    if (!takesFields(route)) return;
    route.schema = { ...route.schema, body: route.schema?.body ?? NO_FIELDS };
  });

  app.addHook("onRequest", (request, _reply, done) => {
    done(isEncoded(request) ? unsupportedMediaType("Bodies are taken without content-encoding") : undefined);
  });

  app.addHook("preValidation", (request, _reply, done) => {
    if (request.body === undefined && WITH_BODY.has(request.method)) request.body = {};
    done();
  });
});

/** What a reader signs is bytes, not fields. */
function takesFields({ method, config }: RouteOptions): boolean {
  const isReaders = config?.access !== undefined && "reader" in config.access;
  return !isReaders && typeof method === "string" && WITH_BODY.has(method);
}

function isEncoded({ headers }: FastifyRequest): boolean {
  const encoding = headers["content-encoding"];
  return encoding !== undefined && encoding.toLowerCase() !== "identity";
}
