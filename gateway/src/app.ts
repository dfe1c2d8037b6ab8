import { redisOptions } from "@asset-register/redis";
import { createBulkhead, createServiceIdentity, identityOptions } from "@asset-register/rpc";
import {
  type App,
  createCertificateWatch,
  createHealthServer,
  createLogger,
  createMetrics,
  type Logger,
  startTracing,
  stopInOrder,
} from "@asset-register/runtime";
import { connectClients } from "./clients.ts";
import type { Config } from "./config.ts";
import { createCredentials } from "./credentials.ts";
import { docs } from "./docs/docs.ts";
import { createFeed } from "./feed/feed.ts";
import { subscribeToFeed } from "./feed/feed-subscription.ts";
import { createIngest } from "./ingest.ts";
import { createCodeOf } from "./label-address.ts";
import { createLoad } from "./load.ts";
import { documents } from "./openapi/document.ts";
import type { Document } from "./openapi/types.ts";
import { etag } from "./plugins/etag.ts";
import { observe } from "./plugins/observe.ts";
import type { RouteInfo } from "./plugins/route-table.ts";
import { createRateLimiter } from "./rate-limit.ts";
import { createReaders } from "./readers.ts";
import { connectRedis } from "./redis.ts";
import { createRefusals } from "./refusals.ts";
import { createHttpServer } from "./server.ts";
import { surfaceA } from "./surface-a/surface.ts";
import { surfaceB } from "./surface-b/surface.ts";
import { createWaitingBodies } from "./waiting-bodies.ts";

export { configSchema } from "./config.ts";
export type { RouteInfo } from "./plugins/route-table.ts";

const NAME = "gateway";

export type Gateway = App & {
  /** The URL on which it listens. Call it after `start`. */
  url(): string;
  routes: readonly RouteInfo[];
  /**
   * The OpenAPI document of a surface: "surface-a" or "surface-b".
   * @throws Error if there is no such document
   */
  document(name: string): Promise<Document>;
};

/** Wires the gateway. It listens on no port before `start`. */
export async function buildApp(config: Config, overrides: { logger?: Logger } = {}): Promise<Gateway> {
  const logger = overrides.logger ?? createLogger({ service: NAME, level: config.LOG_LEVEL });
  const metrics = createMetrics({ service: NAME });
  const tracing = startTracing({ service: NAME, endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT });
  const health = createHealthServer({ address: config.HEALTH_ADDRESS, metrics, logger });
  const certificates = createCertificateWatch({ logger, metrics });
  const identity = createServiceIdentity(identityOptions(NAME, config, certificates));
  // At most a quarter of the requests can wait for one upstream, so that the others stay available. tagging-ingest has
  // three such quarters: one for management, two for events (the RPC calls, and the requests that wait for a call).
  const share = Math.ceil(config.MAX_REQUESTS_IN_FLIGHT / 4);
  const clients = connectClients({ config, identity, metrics, logger, maxCalls: share });
  const redisServer = { ...redisOptions(config, certificates), logger };
  const redis = connectRedis(redisServer);
  const limiter = createRateLimiter({ redis, logger, metrics });
  const refusals = createRefusals(limiter, config.RATE_LIMIT_REFUSED);
  const ingestBulkhead = createBulkhead({ name: "ingest", max: share, metrics });
  const credentials = createCredentials(clients.credentials, refusals);
  const maxStreams = config.MAX_EVENT_STREAMS;
  const feed = createFeed({ clients, credentials, limiter, maxStreams, metrics, logger });
  const subscription = subscribeToFeed(redisServer, feed);
  const surface = {
    clients,
    codeOf: createCodeOf(config.PUBLIC_URL),
    config,
    credentials,
    feed,
    ingest: createIngest(clients.ingest, ingestBulkhead, refusals),
    readers: createReaders(clients.ingest, ingestBulkhead, refusals),
    limiter,
    refusals,
    load: createLoad({
      maxRequests: config.MAX_REQUESTS_IN_FLIGHT,
      maxDelayMs: config.MAX_EVENT_LOOP_DELAY,
      metrics,
    }),
    waitingBodies: createWaitingBodies({
      max: config.MAX_WAITING_BODIES,
      maxPerNetwork: config.MAX_WAITING_BODIES_PER_NETWORK,
      metrics,
    }),
  };

  const http = await createHttpServer({
    logger,
    trustedProxies: config.TRUSTED_PROXIES,
    maxConnections: config.MAX_CONNECTIONS,
    maxConnectionsPerNetwork: config.MAX_CONNECTIONS_PER_NETWORK,
    corsOrigins: config.CORS_ORIGINS,
    requestTimeoutMs: config.REQUEST_TIMEOUT,
    uploadBytesPerSecond: config.UPLOAD_BYTES_PER_SECOND,
    answerTimeoutMs: config.ANSWER_TIMEOUT,
    answerBytesPerSecond: config.ANSWER_BYTES_PER_SECOND,
  });
  await http.register(observe, { metrics, logger });
  await http.register(etag);
  await http.register(documents);
  await http.register(surfaceA(surface), { prefix: "/v1" });
  await http.register(surfaceB(surface), { prefix: "/asset_manager_api" });
  await http.register(docs, surface);

  return {
    shutdownTimeoutMs: config.SHUTDOWN_TIMEOUT_MS,
    async start() {
      await health.start();
      certificates.start();
      // Connects before the first request, so that all requests are counted in Redis. Redis is not required to start.
      await redis.connect().catch(() => undefined);
      subscription.start();
      feed.start();
      await http.listen({ host: config.HTTP_ADDRESS.host, port: config.HTTP_ADDRESS.port });
      health.setReady(true);
      logger.info({ url: http.listeningOrigin }, "gateway is ready");
    },
    stop: () =>
      stopInOrder(
        [
          { name: "readiness", stop: () => health.setReady(false) },
          { name: "streams", stop: () => feed.drain() },
          { name: "requests", stop: () => http.close() },
          { name: "feed", stop: () => feed.stop() },
          { name: "subscription", stop: () => subscription.stop() },
          { name: "load", stop: () => surface.load.stop() },
          { name: "upstreams", stop: () => clients.close() },
          { name: "redis", stop: () => redis.disconnect() },
          { name: "certificates", stop: () => certificates.stop() },
          { name: "tracing", stop: () => tracing.stop() },
          { name: "health", stop: () => health.stop() },
        ],
        { timeoutMs: config.SHUTDOWN_TIMEOUT_MS, logger },
      ),
    url: () => http.listeningOrigin,
    routes: http.routeTable,
    async document(name) {
      await http.ready();
      const make = http.documents.get(name);
      if (make === undefined) throw new Error(`There is no document "${name}".`);
      return make();
    },
  };
}
