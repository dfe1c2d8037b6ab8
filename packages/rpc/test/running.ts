import { testKeys } from "@asset-register/harness";
import type { PageRequest } from "@asset-register/proto/assetregister/common/v1/page_pb";
import {
  createCertificateWatch,
  createLogger,
  createMetrics,
  type Logger,
  type Tls,
} from "@asset-register/runtime";
import type { Metadata } from "@grpc/grpc-js";
import { metadataOf } from "../src/call-options.ts";
import {
  type BreakerOptions,
  type Call,
  type Client,
  command,
  createRpcClient,
  createRpcServer,
  createServiceIdentity,
  type Handlers,
  type IdempotencyStore,
  implement,
  type Principal,
  type RpcServer,
  type ServiceIdentity,
  upload,
} from "../src/index.ts";
import { type EchoService, echoService } from "./echo.ts";

export const logger = createLogger({ service: "test", level: "silent" });

export const user: Principal = {
  kind: "user",
  workspaceId: "wsp_1",
  id: "usr_1",
  sessionId: "ses_1",
  deviceUuid: "d-1",
  capabilities: ["view"],
};
export const apiKey: Principal = {
  kind: "api_key",
  workspaceId: "wsp_1",
  id: "key_1",
  scopes: ["assets:read", "assets:write"],
};

/** Creates identities of services that trust each other. */
export function identities<N extends string>(...names: N[]): Record<N, ServiceIdentity> {
  return identitiesWith({}, ...names);
}

function identitiesWith<N extends string>(
  { tls, now }: { tls?: Tls | undefined; now?: () => number },
  ...names: N[]
): Record<N, ServiceIdentity> {
  const options = { tls: tls && createCertificateWatch({ logger }).add("grpc", tls), now };
  const { privateKeyPem, trustedKeys } = testKeys(...names);
  const made = names.map((name) => [
    name,
    createServiceIdentity({ name, privateKeyPem: privateKeyPem[name] ?? "", trustedKeys, ...options }),
  ]);
  return Object.fromEntries(made);
}

/** The audience of tokens for the echo service. */
export const AUDIENCE = "test.v1";

/** The metadata of a call that a test makes without our client. */
export const metadataFor = (
  identity: ServiceIdentity,
  principal: Principal = { kind: "anonymous" },
  audience = AUDIENCE,
): Promise<Metadata> => metadataOf(identity, audience, { principal }, undefined);

/** Handlers that return their request. A test replaces the ones that it needs. */
export function echoHandlers(changes: Partial<Handlers<EchoService>> = {}): Handlers<EchoService> {
  const echo = ({ page, limit, cursor = "" }: PageRequest) => ({
    page,
    limit,
    nextCursor: cursor,
  });
  return {
    look: echo,
    change: command(
      echo,
      async (input) => input,
      (result) => result,
    ),
    anyone: echo,
    signedIn: (_request, call) => ({ nextCursor: describe(call) }),
    inside: (_request, call) => ({ nextCursor: describe(call) }),
    repeat: echo,
    list: async function* ({ limit }) {
      for (let page = 1; page <= limit; page += 1) yield { page };
    },
    put: upload(
      ({ name }) => name,
      async (name, content) => {
        let bytes = 0;
        for await (const chunk of content) bytes += chunk.length;
        return { name, bytes };
      },
      ({ name, bytes }) => ({ nextCursor: name, total: bytes }),
    ),
    ...changes,
  };
}

function describe(call: Call): string {
  return `${call.workspaceId} ${call.actor.kind} ${call.actor.id} ${call.requestId}`;
}

export type Running = {
  server: RpcServer;
  port: number;
  gateway: Client<EchoService>;
  register: Client<EchoService>;
  ids: Record<"gateway" | "register" | "identity", ServiceIdentity>;
  metrics: ReturnType<typeof createMetrics>;
  clientMetrics: ReturnType<typeof createMetrics>;
  stop(): Promise<void>;
};

/** The number of calls that a side has measured with these labels. */
export async function measured(
  { registry }: ReturnType<typeof createMetrics>,
  side: "server" | "client",
  method: string,
  status: string,
): Promise<number> {
  const text = await registry.metrics();
  const line = text
    .split("\n")
    .find(
      (one) =>
        one.startsWith(`rpc_${side}_call_duration_seconds_count`) &&
        one.includes(`rpc_method="test.v1.EchoService/${method}"`) &&
        one.includes(`status="${status}"`),
    );
  return Number(line?.split(" ").at(-1) ?? 0);
}

/** Starts a real server with two clients: the gateway, and the service "register". */
export async function running(
  options: {
    handlers?: Partial<Handlers<EchoService>>;
    idempotency?: IdempotencyStore;
    breaker?: BreakerOptions;
    maxCalls?: number;
    maxCallMs?: number;
    maxConnectionAgeMs?: number;
    logger?: Logger;
    tls?: Tls;
    now?: () => number;
    /** Those of another server, so that both accept the same callers. */
    ids?: Running["ids"];
  } = {},
): Promise<Running> {
  const desc = echoService();
  const { tls, now = Date.now } = options;
  const ids = options.ids ?? identitiesWith({ tls, now }, "gateway", "register", "identity");
  const metrics = createMetrics({ service: "test" });
  const clientMetrics = createMetrics({ service: "test-client" });
  const server = createRpcServer({
    name: "test",
    address: { host: "127.0.0.1", port: 0 },
    implementations: [implement(desc, echoHandlers(options.handlers))],
    identity: ids.identity,
    idempotency: options.idempotency,
    maxCallMs: options.maxCallMs,
    maxConnectionAgeMs: options.maxConnectionAgeMs,
    reflection: true,
    logger: options.logger ?? logger,
    metrics,
  });
  const { port } = await server.start();
  const address = `127.0.0.1:${port}`;
  const { breaker, maxCalls } = options;
  // The default of 5 s is too short for a busy machine.
  const common = { address, metrics: clientMetrics, logger, breaker, maxCalls, deadlineMs: 30_000 };
  const gateway = createRpcClient(desc, { ...common, identity: ids.gateway });
  const register = createRpcClient(desc, { ...common, identity: ids.register });
  return {
    server,
    port,
    gateway,
    register,
    ids,
    metrics,
    clientMetrics,
    stop: async () => {
      gateway.close();
      register.close();
      await server.stop(1000);
    },
  };
}
