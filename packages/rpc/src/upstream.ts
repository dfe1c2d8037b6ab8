import type { Logger, Metrics } from "@asset-register/runtime";
import { type ChannelOptions, connectivityState, Client as GrpcClient } from "@grpc/grpc-js";
import { type BreakerOptions, createBreaker, type Guard } from "./breaker.ts";
import { createBulkhead } from "./bulkhead.ts";
import { keepDrainingSessions } from "./draining-sessions.ts";
import type { ServiceIdentity } from "./identity.ts";
import { MESSAGE_SIZE_OPTIONS } from "./message-size.ts";
import { durationsOf, type Observe } from "./observe.ts";
import { channelCredentials } from "./tls.ts";

export type UpstreamOptions = {
  /** A gRPC target: "host:port", or the addresses of several processes as "ipv4:ip:port,ip:port". */
  address: string;
  /** Name in metrics and logs. Default: the host of the address, of several the first one. */
  name?: string | undefined;
  identity: ServiceIdentity;
  /** Number of connections. Each has one socket and one flow-control window for all its calls. Default: 2. */
  channels?: number | undefined;
  breaker?: boolean | BreakerOptions | undefined;
  /** Maximum number of concurrent calls. Further calls fail immediately, so that a hanging service blocks few callers. */
  maxCalls?: number | undefined;
  metrics: Metrics;
  logger: Logger;
};

/** Connections to one service, shared by the clients of all its proto services. */
export type Upstream = {
  identity: ServiceIdentity;
  guard: Guard;
  observe: Observe;
  /** The next connection, round-robin. A failing connection is skipped if another one works. */
  next(): GrpcClient;
  close(): void;
};

const SERVICE_CONFIG = JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] });

/** A frozen process gets no calls after 15 s. Also shorter than the idle time-outs of load balancers and conntrack tables. */
const KEEPALIVE_MS = 10_000;

const CHANNEL_OPTIONS: ChannelOptions = {
  "grpc.service_config": SERVICE_CONFIG,
  "grpc.service_config_disable_resolution": 1,
  // Without its own pool, each channel would share the connections of the others.
  "grpc.use_local_subchannel_pool": 1,
  "grpc.initial_reconnect_backoff_ms": 100,
  "grpc.max_reconnect_backoff_ms": 2000,
  "grpc.dns_min_time_between_resolutions_ms": 2000,
  "grpc.keepalive_time_ms": KEEPALIVE_MS,
  "grpc.keepalive_timeout_ms": 5000,
  "grpc.enable_channelz": 0,
  // Services call each other directly. By default grpc-js uses the proxy of the environment, even for 127.0.0.1.
  "grpc.enable_http_proxy": 0,
  ...MESSAGE_SIZE_OPTIONS,
};

keepDrainingSessions();

/** Creates an upstream: lazy connections to a service, round-robin over its addresses, and optionally a breaker. */
export function createUpstream(options: UpstreamOptions): Upstream {
  const { address, identity, channels = 2, breaker = false, maxCalls, metrics, logger } = options;
  const name = options.name ?? hostOf(address);
  const credentials = channelCredentials(identity.tls);
  const clients = Array.from(
    { length: channels },
    () => new GrpcClient(address, credentials, CHANNEL_OPTIONS),
  );
  const circuit =
    breaker === false ? unguarded : createBreaker(name, breaker === true ? {} : breaker, { metrics, logger });
  const guard = maxCalls === undefined ? circuit : limited(name, maxCalls, circuit, metrics);
  let last = 0;

  function nextInOrder(): GrpcClient {
    last = (last + 1) % clients.length;
    const client = clients[last];
    if (client === undefined) throw new Error("An upstream needs at least one channel.");
    return client;
  }

  return {
    identity,
    guard,
    observe: durationsOf(metrics, "rpc_client_call_duration_seconds"),
    next: () => {
      const first = nextInOrder();
      if (!isFailing(first)) return first;
      // After a restart the connections recover one by one. Until then a working one serves all calls.
      return clients.find((client) => !isFailing(client)) ?? first;
    },
    close: () => {
      guard.close();
      for (const client of clients) client.close();
    },
  };
}

const isFailing = (client: GrpcClient): boolean =>
  client.getChannel().getConnectivityState(false) === connectivityState.TRANSIENT_FAILURE;

const unguarded: Guard = { run: (work) => work(), close: () => undefined };

/**
 * Adds a bulkhead outside of the breaker. For the breaker, a refused call is then
 * neither a success nor a failure. The `capacity` of opossum would count it.
 */
function limited(name: string, max: number, guard: Guard, metrics: Metrics): Guard {
  const bulkhead = createBulkhead({ name, max, metrics });
  return { run: (work) => bulkhead.run(() => guard.run(work)), close: () => guard.close() };
}

/** The host of a target, of several the first one. */
function hostOf(target: string): string {
  return target
    .replace(/^ipv4:/, "")
    .replace(/,.*/, "")
    .replace(/:\d+$/, "");
}
