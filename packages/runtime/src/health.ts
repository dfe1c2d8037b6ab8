import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Address } from "./config.ts";
import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";

export type HealthServer = {
  /** Adds a condition of readiness. It checks this process and its own store, never Redis or a single upstream. */
  check(name: string, probe: () => boolean | Promise<boolean>): void;
  setReady(ready: boolean): void;
  start(): Promise<{ port: number }>;
  stop(): Promise<void>;
};

/** A probe that takes longer counts as failed, so that /readyz itself always answers. */
const PROBE_TIMEOUT_MS = 1000;

/**
 * Creates a server on its own port:
 *
 * | Path     | 200 if                                                          |
 * | -------- | --------------------------------------------------------------- |
 * | /healthz | the process is alive                                            |
 * | /readyz  | it may get traffic: `setReady(true)`, and every check passes    |
 * | /metrics | always, with the metrics                                        |
 */
export function createHealthServer(options: {
  address: Address;
  metrics: Metrics;
  logger: Logger;
}): HealthServer {
  const { address, metrics, logger } = options;
  const probes = new Map<string, () => boolean | Promise<boolean>>();
  let ready = false;

  async function readiness(response: ServerResponse): Promise<void> {
    const results = await Promise.all(
      [...probes].map(async ([name, probe]) => [name, await passes(probe)] as const),
    );
    const ok = ready && results.every(([, passed]) => passed);
    sendJson(response, ok ? 200 : 503, { ready: ok, accepting: ready, checks: Object.fromEntries(results) });
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split("?")[0];
    if (path === "/healthz") return sendJson(response, 200, { alive: true });
    if (path === "/readyz") return readiness(response);
    if (path !== "/metrics") return sendJson(response, 404, { error: "not found" });
    const text = await metrics.registry.metrics();
    response.writeHead(200, { "content-type": metrics.registry.contentType }).end(text);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      logger.error({ error }, "health request failed");
      if (!response.headersSent) sendJson(response, 500, { error: "internal" });
    });
  });

  return {
    check: (name, probe) => void probes.set(name, probe),
    setReady: (value) => {
      ready = value;
    },
    start: () =>
      new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen(address.port, address.host, () => {
          server.removeListener("error", reject);
          const bound = server.address();
          resolve({ port: typeof bound === "object" && bound !== null ? bound.port : address.port });
        });
      }),
    stop: () =>
      new Promise((resolve, reject) => {
        if (!server.listening) return resolve();
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function passes(probe: () => boolean | Promise<boolean>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), PROBE_TIMEOUT_MS);
  try {
    return await Promise.race([promise, Promise.resolve().then(probe)]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
