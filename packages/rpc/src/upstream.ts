import type { Address, Logger, Metrics } from "@asset-register/runtime";
import { type ChannelOptions, connectivityState, Client as GrpcClient } from "@grpc/grpc-js";
import { type BreakerOptions, createBreaker, type Guard } from "./breaker.ts";
import { createBulkhead } from "./bulkhead.ts";
import type { ServiceIdentity } from "./identity.ts";
import { MESSAGE_SIZE_OPTIONS } from "./message-size.ts";
import { durationsOf, type Observe } from "./observe.ts";
import { channelCredentials } from "./tls.ts";

export type UpstreamOptions = {
  /** A text "host:port" may also be any gRPC target. */
  address: Address | string;
  /** For metrics and logs; the address's host unless told. */
  name?: string | undefined;
  identity: ServiceIdentity;
  /** Connections: one HTTP/2 connection is one socket, and one flow-control window, for all calls. */
  channels?: number | undefined;
  breaker?: boolean | BreakerOptions | undefined;
  /** Calls at a time; more are refused at once, so that a service that hangs holds no more of its callers. */
  maxCalls?: number | undefined;
  metrics: Metrics;
  logger: Logger;
};

/** Connections to one service, shared by the clients of all its proto services. */
export type Upstream = {
  identity: ServiceIdentity;
  guard: Guard;
  observe: Observe;
  /** The next connection, in turn; not one that is failing while another is not. */
  next(): GrpcClient;
  close(): void;
};

const SERVICE_CONFIG = JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] });

/** 30 s: below the idle time-outs of usual load balancers and conntrack tables. */
const KEEPALIVE_MS = 30_000;

const CHANNEL_OPTIONS: ChannelOptions = {
  "grpc.service_config": SERVICE_CONFIG,
  "grpc.service_config_disable_resolution": 1,
  // Without a pool of its own each channel would share its connections with the others.
  "grpc.use_local_subchannel_pool": 1,
  "grpc.initial_reconnect_backoff_ms": 100,
  "grpc.max_reconnect_backoff_ms": 2000,
  "grpc.dns_min_time_between_resolutions_ms": 2000,
  "grpc.keepalive_time_ms": KEEPALIVE_MS,
  "grpc.keepalive_timeout_ms": 5000,
  "grpc.enable_channelz": 0,
  // Services call each other directly: grpc-js would ask the proxy of the environment, for 127.0.0.1 as well.
  "grpc.enable_http_proxy": 0,
  ...MESSAGE_SIZE_OPTIONS,
};

/** Opens connections to a service (lazily), with round_robin over its addresses and, if asked for, a breaker. */
export function createUpstream(options: UpstreamOptions): Upstream {
  const { address, identity, channels = 2, breaker = false, maxCalls, metrics, logger } = options;
  const target = typeof address === "string" ? address : `${bracketed(address.host)}:${address.port}`;
  const name = options.name ?? target.replace(/:\d+$/, "");
  const credentials = channelCredentials(identity.tls);
  const clients = Array.from(
    { length: channels },
    () => new GrpcClient(target, credentials, CHANNEL_OPTIONS),
  );
  const broken =
    breaker === false ? unguarded : createBreaker(name, breaker === true ? {} : breaker, { metrics, logger });
  const guard = maxCalls === undefined ? broken : bounded(name, maxCalls, broken, metrics);
  let turn = 0;

  function inTurn(): GrpcClient {
    turn = (turn + 1) % clients.length;
    const client = clients[turn];
    if (client === undefined) throw new Error("an upstream needs at least one channel");
    return client;
  }

  return {
    identity,
    guard,
    observe: durationsOf(metrics, "rpc_client_call_duration_seconds"),
    next: () => {
      const first = inTurn();
      if (!isFailing(first)) return first;
      // After a restart the connections come back one by one: the first that is back serves everybody.
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
 * Outside of the breaker, for which a call that was never made is neither a success
 * nor a failure: opossum's own `capacity` counts it as one of them.
 */
function bounded(name: string, max: number, guard: Guard, metrics: Metrics): Guard {
  const bulkhead = createBulkhead({ name, max, metrics });
  return { run: (work) => bulkhead.run(() => guard.run(work)), close: () => guard.close() };
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
