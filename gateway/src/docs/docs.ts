import type { FastifyPluginAsync } from "fastify";
import Type from "typebox";
import { problem } from "../http/error-body.ts";
import type { Load } from "../load.ts";
import { shed } from "../plugins/shed.ts";
import { ERRORS_STYLE, errorsPage } from "./errors-page.ts";
import { ICON, REFERENCE_PAGE, START_SCRIPT } from "./reference-page.ts";
import { scalarBundle } from "./scalar.ts";
import { serveText } from "./static-text.ts";

/** Nothing from another host, no script but ours, nobody's frame. */
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
 * The reference page's program puts its style sheets into the page as it runs, and sets style
 * attributes; it takes no nonce, and what they hold depends on what is shown, so that no list of
 * hashes is whole. Styles alone are relaxed for it: they can't run anything.
 */
const REFERENCE_POLICY = policy("'unsafe-inline'");

const isDocs = (url: string): boolean => /^\/(docs|openapi)(\/|$)/.test(url);

const HTML = "text/html; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";

/** The documents, and the pages that show them. Public, and no part of the documents themselves. */
export const docs: FastifyPluginAsync<{ load: Load }> = async (app, { load }) => {
  await app.register(shed, { load, body: problem });
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
    // The page notes there which document it shows.
    query: { api: Type.Optional(Type.String({ maxLength: 100 })) },
  });
  serveText(app, "/docs/errors", {
    type: HTML,
    make: () => errorsPage(app.routeTable.filter(({ url }) => !isDocs(url))),
    headers: { "content-security-policy": policy("'self'") },
  });
  serveText(app, "/docs/errors.css", { type: "text/css; charset=utf-8", make: () => ERRORS_STYLE });
  serveText(app, "/docs/scalar.js", { type: SCRIPT, make: scalarBundle });
  serveText(app, "/docs/start.js", { type: SCRIPT, make: () => START_SCRIPT });
  serveText(app, "/docs/icon.svg", { type: "image/svg+xml", make: () => ICON });
};
