import type { Address, Logger, Metrics } from "@asset-register/runtime";
import type { DescMethod } from "@bufbuild/protobuf";
import { Server, type UntypedServiceImplementation } from "@grpc/grpc-js";
import { HealthImplementation } from "grpc-health-check";
import { fullNameOf } from "./access.ts";
import { type AdmittedMethod, createAdmission } from "./admission.ts";
import { audienceOf } from "./claims.ts";
import { pathOf, toRawDefinition } from "./definition.ts";
import type { Implementation } from "./handlers.ts";
import type { IdempotencyStore } from "./idempotency.ts";
import type { ServiceIdentity } from "./identity.ts";
import { MESSAGE_SIZE_OPTIONS, maxRequestBytesOf } from "./message-size.ts";
import { addReflection } from "./reflection.ts";
import { createServe } from "./serve.ts";
import { type ServedMethod, servedMethod } from "./served-method.ts";
import { serverCredentials } from "./tls.ts";

export type RpcServerOptions = {
  name: string;
  address: Address;
  implementations: Implementation[];
  identity: Pick<ServiceIdentity, "verify" | "tls">;
  idempotency?: IdempotencyStore | undefined;
  /** Serves gRPC reflection, to everybody: for development. */
  reflection?: boolean | undefined;
  logger: Logger;
  metrics: Metrics;
  maxCallMs?: number | undefined;
  maxStreamMs?: number | undefined;
  /** After this time, plus or minus a tenth, a connection takes no further calls. Default: 5 minutes. */
  maxConnectionAgeMs?: number | undefined;
};

export type RpcServer = {
  start(): Promise<{ port: number }>;
  /** Refuses new calls, waits `drainMs` for running calls, and then cancels them. */
  stop(drainMs: number): Promise<void>;
};

/** Clients resolve names again when a connection ends, so that new replicas get calls within minutes. */
const MAX_CONNECTION_AGE_MS = 300_000;

/**
 * Creates a gRPC server with grpc.health.v1. All other calls need the identity of a service.
 *
 * @throws Error with the name of a method without an access option, so that no method is public by accident
 */
export function createRpcServer(options: RpcServerOptions): RpcServer {
  const { name, address, implementations, identity, idempotency, metrics } = options;
  const { reflection = false, maxCallMs = 30_000, maxStreamMs = 900_000 } = options;
  const { maxConnectionAgeMs = MAX_CONNECTION_AGE_MS } = options;
  const logger = options.logger.child({ component: "rpc" });
  const methods = new Map<string, AdmittedMethod>();
  const admission = createAdmission({ identity, methods, logger, metrics });
  const server = new Server({
    interceptors: [admission.interceptor],
    "grpc.max_connection_age_ms": maxConnectionAgeMs,
    "grpc.max_connection_age_grace_ms": maxStreamMs,
    "grpc.enable_channelz": 0,
    ...MESSAGE_SIZE_OPTIONS,
  });
  const health = new HealthImplementation({ "": "NOT_SERVING" });
  const serve = createServe({ admission, logger, metrics, maxCallMs, maxStreamMs });

  for (const { desc, handlers } of implementations) {
    const functions: UntypedServiceImplementation = {};
    for (const method of desc.methods) {
      const handler = handlers[method.localName];
      if (handler === undefined) throw new Error(`No handler for ${desc.typeName}/${method.name}.`);
      const served = servedMethod(method, handler, idempotency);
      functions[method.localName] = serverOf(serve, method, served);
      methods.set(pathOf(method), {
        name: fullNameOf(method),
        audience: audienceOf(method),
        maxRequestBytes: maxRequestBytesOf(method),
      });
    }
    server.addService(toRawDefinition(desc), functions);
  }
  const services = implementations.map(({ desc }) => desc);
  if (reflection) addReflection(server, services);
  health.addToServer(server);
  let bound: string | undefined;

  function setServing(status: "SERVING" | "NOT_SERVING"): void {
    health.setStatus("", status);
    for (const service of services) health.setStatus(service.typeName, status);
  }

  return {
    start: async () => {
      const { promise, resolve, reject } = Promise.withResolvers<number>();
      server.bindAsync(targetOf(address), serverCredentials(identity.tls), (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      );
      const port = await promise;
      bound = targetOf({ ...address, port });
      setServing("SERVING");
      logger.info({ name, host: address.host, port }, "serving gRPC");
      return { port };
    },
    stop: async (drainMs) => {
      setServing("NOT_SERVING");
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(() => {
        logger.warn({ drainMs }, "calls cancelled that were still running at the end of the drain");
        server.forceShutdown();
        resolve();
      }, drainMs);
      // Cancels the calls at the end. Without channelz, `forceShutdown` knows no sessions.
      if (bound !== undefined) server.drain(bound, drainMs);
      server.tryShutdown(() => resolve());
      await promise;
      clearTimeout(timer);
    },
  };
}

function serverOf(serve: ReturnType<typeof createServe>, { methodKind }: DescMethod, served: ServedMethod) {
  if (methodKind === "server_streaming") return serve.serverStream(served);
  return methodKind === "client_streaming" ? serve.clientStream(served) : serve.unary(served);
}

function targetOf({ host, port }: Address): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
