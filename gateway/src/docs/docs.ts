import { descriptorSet, protoSources } from "@asset-register/proto/source";
import { topics as topicList } from "@asset-register/proto/topics";
import type { FastifyPluginAsync } from "fastify";
import Type from "typebox";
import { consolePages } from "../console/console.ts";
import { problem } from "../http/error-body.ts";
import { labelRedirect } from "../label-redirect.ts";
import { loadShedding } from "../plugins/load-shedding.ts";
import { unknownAddresses } from "../plugins/unknown-addresses.ts";
import type { Surface } from "../surface.ts";
import { ERRORS_STYLE, errorsPage } from "./errors-page.ts";
import { asyncApiDocument } from "./events/async-api.ts";
import { topicPage, topicsPage } from "./events/pages.ts";
import { topicFacts } from "./events/topic-facts.ts";
import { ICON, REFERENCE_PAGE, START_SCRIPT } from "./reference-page.ts";
import { scalarBundle } from "./scalar.ts";
import { serveText } from "./static-text.ts";

/** Allows only resources of this host and scripts in files. Forbids framing. */
const policy = (styles: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/**
 * Scalar, the program of the reference page, inserts style sheets and style attributes at run time. It accepts no
 * nonce, and their content depends on what is shown, so a list of hashes is impossible. Only styles are relaxed:
 * they can't run code.
 */
const REFERENCE_POLICY = policy("'unsafe-inline'");

const isOutside = (url: string): boolean => /^\/(|app|docs|openapi|t)(\/|$)/.test(url);

const HTML = "text/html; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";

/**
 * Everything outside both surfaces: the OpenAPI documents and the pages that show them, which are public and not part
 * of the documents, the console, the addresses of labels, and unknown addresses.
 */
export const docs: FastifyPluginAsync<Surface> = async (app, surface) => {
  await app.register(loadShedding, { body: problem, ...surface });
  await app.register(unknownAddresses);
  labelRedirect(app, surface.config.PUBLIC_URL);
  await app.register(consolePages, surface);
  for (const [name, document] of app.documents) {
    serveText(app, `/openapi/${name}.json`, {
      type: "application/json; charset=utf-8",
      make: () => JSON.stringify(document(), null, 2),
    });
  }
  serveText(app, "/docs", {
    type: HTML,
    make: () => REFERENCE_PAGE,
    headers: { "content-security-policy": REFERENCE_POLICY },
    // The page stores there which document it shows.
    query: { api: Type.Optional(Type.String({ maxLength: 100 })) },
  });
  serveText(app, "/docs/errors", {
    type: HTML,
    make: () => errorsPage(app.routeTable.filter(({ url }) => !isOutside(url))),
    headers: { "content-security-policy": policy("'self'") },
  });
  const topics = topicFacts();
  const plain = { type: HTML, headers: { "content-security-policy": policy("'self'") } };
  serveText(app, "/docs/events", { ...plain, make: () => topicsPage(topics) });
  for (const topic of topics)
    serveText(app, `/docs/events/${topic.name}`, { ...plain, make: () => topicPage(topic) });
  serveText(app, "/docs/asyncapi.json", {
    type: "application/json; charset=utf-8",
    make: () => JSON.stringify(asyncApiDocument(topics), null, 2),
  });
  const schemas = Object.values(topicList).map(({ schema }) => schema);
  for (const [path, source] of protoSources(schemas))
    serveText(app, `/docs/protos/${path}`, { type: "text/plain; charset=utf-8", make: () => source });
  serveText(app, "/docs/protos/descriptors.binpb", {
    type: "application/protobuf",
    make: () => descriptorSet(schemas),
  });
  serveText(app, "/docs/errors.css", { type: "text/css; charset=utf-8", make: () => ERRORS_STYLE });
  serveText(app, "/docs/scalar.js", { type: SCRIPT, make: scalarBundle });
  serveText(app, "/docs/start.js", { type: SCRIPT, make: () => START_SCRIPT });
  serveText(app, "/docs/icon.svg", { type: "image/svg+xml", make: () => ICON });
};
