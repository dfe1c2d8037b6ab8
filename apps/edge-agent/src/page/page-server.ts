import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { Registry } from "prom-client";
import { type Address, isLoopback } from "../config/units.ts";
import { type RefusedAnswer, type RefusedRequest, refusedRequest } from "../control/refused-request.ts";
import { messageOf } from "../inputs/connection/keep-connected.ts";
import { parseJson } from "../inputs/formats/json.ts";
import { authorisation } from "../inputs/http-auth.ts";
import { readBody } from "../inputs/read-body.ts";
import { serve } from "../served.ts";
import { pageText } from "./page-text.ts";
import type { Status } from "./status.ts";
import { statusText } from "./status-text.ts";

export type PageServer = { start(): Promise<void>; stop(): Promise<void>; port(): number };

export type PageOptions = {
  address: Address;
  password: string | undefined;
  /** What a command on this machine needs for /refused. */
  controlToken: string;
  refused(request: RefusedRequest): Promise<RefusedAnswer>;
  status(): Status;
  metrics: Registry;
};

/** The user of the page. */
export const PAGE_USER = "agent";

type Reply = { status: number; type: string; text: string; headers?: Record<string, string> };

const MAX_REQUEST_BYTES = 4_096;

/** Serves the page, /status.json, /status.txt and /metrics, and /refused for the command. */
export function createPageServer(options: PageOptions): PageServer {
  const { address, password, status, metrics } = options;
  const maySee = authorisation(password === undefined ? "none" : { user: PAGE_USER, password });
  const mayControl = authorisation({ token: options.controlToken });

  const control = async (request: IncomingMessage): Promise<Reply> => {
    if (!mayControl(request.headers.authorization))
      return plain(401, "Only commands of the agent's user can use it.");
    if (request.method !== "POST") return plain(405, "Only POST.", { allow: "POST" });
    const body = await readBody(request, MAX_REQUEST_BYTES);
    const parsed = refusedRequest.safeParse(body && parseJson(body.toString("utf8")));
    if (!parsed.success) return plain(400, "The request is not understood.");
    return options.refused(parsed.data).then(json, (error: unknown) => plain(422, messageOf(error)));
  };

  const answer = async (request: IncomingMessage): Promise<Reply> => {
    if (request.url === "/refused") return control(request);
    if (!maySee(request.headers.authorization))
      return plain(401, "A password is needed.", { "www-authenticate": 'Basic realm="edge agent"' });
    // Another site must not read the page by a name of its own for this address.
    if (password === undefined && !isLocal(request.headers.host))
      return plain(403, "Use the address 127.0.0.1.");
    if (request.method !== "GET") return plain(405, "Only GET.", { allow: "GET" });
    switch (request.url) {
      case "/":
        return page(status());
      case "/status.json":
        return json(status());
      case "/status.txt":
        return { status: 200, type: "text/plain; charset=utf-8", text: statusText(status()) };
      case "/metrics":
        return { status: 200, type: metrics.contentType, text: await metrics.metrics() };
      default:
        return plain(404, "There is no such page.");
    }
  };
  const server = createServer(async (request, response) => {
    const { status, type, text, headers } = await answer(request).catch((error: unknown) =>
      plain(500, String(error)),
    );
    // The rest of a body that was not read would be taken for the next request.
    if (!request.complete) response.setHeader("connection", "close");
    response.writeHead(status, { "cache-control": "no-store", ...headers, "content-type": type });
    response.end(text);
  });
  return serve(server, address, () => server.closeAllConnections());
}

const json = (value: object): Reply => ({
  ...{ status: 200, type: "application/json" },
  text: `${JSON.stringify(value, null, 2)}\n`,
});

const plain = (status: number, text: string, headers: Record<string, string> = {}): Reply => ({
  ...{ status, headers, type: "text/plain" },
  text: `${text}\n`,
});

function page(status: Status): Reply {
  const nonce = randomBytes(16).toString("base64");
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; frame-ancestors 'none'; base-uri 'none'`;
  return {
    ...{ status: 200, type: "text/html; charset=utf-8", text: pageText(status, nonce) },
    headers: { "content-security-policy": policy, "x-content-type-options": "nosniff" },
  };
}

function isLocal(host: string | undefined): boolean {
  const name = (host ?? "").replace(/:\d+$/, "").replace(/^\[|\]$/g, "");
  return isLoopback({ host: name, port: 0 });
}
