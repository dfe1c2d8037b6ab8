import { randomUUID } from "node:crypto";
import { createServiceIdentity } from "@asset-register/rpc";
import {
  type App,
  createHealthServer,
  createLogger,
  createMetrics,
  startTracing,
} from "@asset-register/runtime";
import Fastify from "fastify";
import { connectClients } from "./clients.ts";
import type { Config } from "./config.ts";
import { createCredentials } from "./credentials.ts";
import { checkRoute } from "./http/boot-check.ts";
import { validatorCompiler } from "./http/validator.ts";
import { createIngest } from "./ingest.ts";
import { etag } from "./plugins/etag.ts";
import { observe } from "./plugins/observe.ts";
import { securityHeaders } from "./plugins/security-headers.ts";
import { createRateLimiter } from "./rate-limit.ts";
import { connectRedis } from "./redis.ts";
import { surfaceA } from "./surface-a/surface.ts";
import { surfaceB } from "./surface-b/surface.ts";

const NAME = "gateway";
const MAX_BODY_BYTES = 1_048_576;
const REQUEST_ID = /^[\w.-]{1,128}$/;

export type Gateway = App & {
  /** Where it listens, once started. */
  url(): string;
};

/** Everything that the gateway is made of; nothing is connected before `start`. */
export async function buildApp(config: Config): Promise<Gateway> {
  const logger = createLogger({ service: NAME, level: config.LOG_LEVEL });
  const metrics = createMetrics({ service: NAME });
  const tracing = startTracing({ service: NAME, endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT });
  const health = createHealthServer({ address: config.HEALTH_ADDRESS, metrics, logger });
  const identity = createServiceIdentity({
    name: NAME,
    privateKeyPem: config.SERVICE_PRIVATE_KEY,
    trustedKeys: config.TRUSTED_KEYS,
  });
  const clients = connectClients({ config, identity, metrics, logger });
  const redis = connectRedis(config.REDIS_URL, logger);
  const surface = {
    clients,
    config,
    credentials: createCredentials(clients.credentials),
    ingest: createIngest(clients.ingest),
    limiter: createRateLimiter(redis, logger),
  };

  const app = Fastify({
    loggerInstance: logger,
    disableRequestLogging: true,
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: config.TRUSTED_PROXIES ?? false,
    genReqId: ({ headers }) => {
      const given = headers["x-request-id"];
      return typeof given === "string" && REQUEST_ID.test(given) ? given : randomUUID();
    },
    return503OnClosing: true,
    forceCloseConnections: "idle",
  });
  app.setValidatorCompiler(validatorCompiler());
  app.addHook("onRoute", checkRoute);
  await app.register(observe, { metrics });
  await app.register(securityHeaders);
  await app.register(etag);
  await app.register(surfaceA, { ...surface, prefix: "/v1" });
  await app.register(surfaceB, { ...surface, prefix: "/asset_manager_api" });

  return {
    async start() {
      await health.start();
      await app.listen({ host: config.HTTP_ADDRESS.host, port: config.HTTP_ADDRESS.port });
      health.setReady(true);
      logger.info({ url: app.listeningOrigin }, "gateway is ready");
    },
    async stop() {
      health.setReady(false);
      await app.close();
      clients.close();
      redis.disconnect();
      await tracing.stop();
      await health.stop();
    },
    url: () => app.listeningOrigin,
  };
}
