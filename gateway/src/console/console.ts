import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { acceptedEncoding } from "../http/accepted-encoding.ts";
import { matchesEtag } from "../http/etag.ts";
import { declared } from "../http/routes.ts";
import { release } from "../plugins/load-shedding.ts";
import { notFoundAddress } from "../plugins/unknown-addresses.ts";
import type { Surface } from "../surface.ts";
import { type ConsoleFile, readConsole } from "./console-files.ts";

/** The build puts it where the page needs the nonce of its Content-Security-Policy. */
const NONCE = "__CSP_NONCE__";

/**
 * Scripts are files of this origin. Mantine inserts style elements, which get the page's nonce. zxing-wasm, which reads
 * codes, needs 'wasm-unsafe-eval'.
 */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'none'",
    "img-src 'self' blob: data:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** The folder of the files whose names contain a hash of their content. "assets/" belongs to the screens. */
const HASHED = "files/";
const IMMUTABLE = "public, max-age=31536000, immutable";

/** The pages of the console (console-web.md). Without CONSOLE_DIR their addresses are unknown. */
export const consolePages: FastifyPluginAsync<Surface> = async (app, { config }) => {
  if (config.CONSOLE_DIR === undefined) return;
  const files = readConsole(config.CONSOLE_DIR);
  const page = String(files.get("index.html")?.body);

  const sendPage = (reply: FastifyReply): FastifyReply => {
    const nonce = randomBytes(16).toString("base64");
    return reply
      .headers({ "content-security-policy": policy(nonce), "permissions-policy": "camera=(self)" })
      .type("text/html; charset=utf-8")
      .send(page.replaceAll(NONCE, nonce));
  };

  // One origin, also for people who typed another name of this host.
  redirect(app, "/", `${config.PUBLIC_URL}/app/`);
  redirect(app, "/app", `${config.PUBLIC_URL}/app/`);
  if (config.DEMO_SIGN_IN !== undefined) demoSignIn(app, config.DEMO_SIGN_IN);
  app.get<{ Params: { "*": string } }>(
    "/app/*",
    {
      config: declared({ public: true }),
      // The query is the page's own: its filters, for example.
      validatorCompiler: () => () => true,
    },
    async (request, reply) => {
      const name = request.params["*"];
      const file = name === "index.html" ? undefined : files.get(name);
      if (file !== undefined) return sendFile(request, reply, file, name.startsWith(HASHED));
      // An old page may ask for a file of its version: the page itself would not be a script.
      if (name.startsWith(HASHED)) throw notFoundAddress();
      return sendPage(reply);
    },
  );
};

/** The demo is created after the gateway has started: until then the answer is empty. */
function demoSignIn(app: FastifyInstance, file: string): void {
  app.get("/app/demo.json", { config: declared({ public: true }) }, async () => {
    const text = await readFile(file, "utf8").catch(() => "{}");
    const { email, password } = JSON.parse(text) as Record<string, unknown>;
    return { email, password };
  });
}

function redirect(app: FastifyInstance, from: string, to: string): void {
  app.get(from, { config: declared({ public: true }) }, async (_request, reply) => reply.redirect(to, 302));
}

function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, etag, body, ...compressed }: ConsoleFile,
  immutable: boolean,
): FastifyReply {
  // All answers share the buffers of the file: clients that do not read must not count as requests in flight.
  release(request);
  reply.headers({ etag, vary: "accept-encoding", "cache-control": immutable ? IMMUTABLE : "no-cache" });
  const known = request.headers["if-none-match"];
  if (known !== undefined && matchesEtag(known, etag.slice("W/".length))) return reply.code(304).send();
  reply.type(type);
  const encoding = acceptedEncoding(request.headers["accept-encoding"]);
  const form = encoding && compressed[encoding];
  return form === undefined ? reply.send(body) : reply.header("content-encoding", encoding).send(form);
}
