import type { Address, Logger } from "@asset-register/runtime";
import { Redis, type RedisOptions } from "ioredis";
import { FailFastCluster } from "./cluster.ts";
import { SentinelRedis } from "./sentinel-redis.ts";
import { databaseOf, type RedisServers } from "./settings.ts";

/** The commands that every kind of Redis has. On a cluster, the keys of one command must be in one slot (bySlot). */
export type RedisClient = Pick<
  Redis,
  | "connect"
  | "del"
  | "disconnect"
  | "eval"
  | "evalsha"
  | "get"
  | "isCluster"
  | "mget"
  | "ping"
  | "pipeline"
  | "publish"
  | "set"
>;

export type CreateRedisOptions = RedisServers & { timeoutMs: number; logger: Logger } & Pick<
    RedisOptions,
    "enableAutoPipelining" | "scripts"
  >;

const MAX_RECONNECT_MS = 1_000;
/** Minimum time between reconnects after refused writes. A Redis that stays read-only can still serve reads. */
const REFUSED_WRITE_RECONNECT_MS = 10_000;

/**
 * Creates a client whose commands succeed or fail quickly, since every process can continue without Redis.
 *
 * - A command fails immediately while Redis is unavailable, and after `timeoutMs` if Redis hangs. No command is
 *   sent again later.
 * - `connect()` starts the client. From then on it reconnects without end. It logs once when Redis becomes
 *   unavailable, and once when it is available again.
 * - A timed-out command stays in the queue of ioredis until its connection ends. So a connection without any
 *   response is closed. This applies only while commands wait; idle connections stay open.
 * - With Sentinels it connects to the primary, and again after each failover.
 */
export function createRedis(
  options: CreateRedisOptions & { sentinels?: undefined; cluster?: undefined },
): Redis;
export function createRedis(options: CreateRedisOptions): RedisClient;
export function createRedis(options: CreateRedisOptions): RedisClient {
  return options.cluster === undefined
    ? createServerClient(options)
    : createClusterClient(options, options.cluster);
}

/**
 * Creates a client for a subscription, which takes no other command. A cluster sends each message to all of its nodes, so
 * the client is connected to any of them.
 */
export function createSubscriber(options: CreateRedisOptions): Redis {
  const { cluster } = options;
  if (cluster === undefined) return createServerClient(options);
  let used = 0;
  const redis = new Redis({
    ...accessOf(options),
    ...cluster[0],
    ...connectionOptions(options),
    ...reconnecting(),
  });
  redis.on("close", () => {
    used += 1;
    Object.assign(redis.options, cluster[used % cluster.length]);
  });
  logOutages(redis, options.logger);
  return redis;
}

/** A client of one server, or of the primary that Sentinels know. */
function createServerClient(options: CreateRedisOptions): Redis {
  const { url = "", sentinels, secureContext, enableAutoPipelining = false, scripts } = options;
  const common = { ...connectionOptions(options), ...reconnecting(), enableAutoPipelining, scripts };
  const redis =
    sentinels === undefined
      ? new Redis(url, { ...common, ...(secureContext !== undefined && { tls: { secureContext } }) })
      : new SentinelRedis({ ...accessOf(options), ...common, ...sentinelOptions(sentinels, options) });
  logOutages(redis, options.logger);
  return redis;
}

function createClusterClient(options: CreateRedisOptions, nodes: Address[]): RedisClient {
  const { scripts, logger } = options;
  // Without auto-pipelining: it groups commands by their first argument, which of a script is the number of its keys.
  const redis = new FailFastCluster(nodes, {
    scripts,
    redisOptions: { ...accessOf(options), ...connectionOptions(options) },
    clusterRetryStrategy: delayOf,
  });
  const outage = createOutageLog(logger);
  redis.on("node error", outage.begin);
  redis.on("error", outage.begin);
  const endOutage = () => {
    if (redis.isWhole()) outage.end();
  };
  redis.on("refresh", endOutage);
  redis.on("node ready", endOutage);
  return redis;
}

const connectionOptions = ({ timeoutMs }: CreateRedisOptions) => ({
  lazyConnect: true,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  commandTimeout: timeoutMs,
  connectTimeout: 2_000,
  socketTimeout: Math.max(2_000, 4 * timeoutMs),
});

const delayOf = (times: number): number => Math.min(times * 50, MAX_RECONNECT_MS);

const reconnecting = () => ({
  enableOfflineQueue: false,
  retryStrategy: delayOf,
  reconnectOnError: oncePer(REFUSED_WRITE_RECONNECT_MS, isRefusedWrite),
});

/** The user, the password, the database and TLS of the URL, for servers that other settings name. */
function accessOf({ url, secureContext }: CreateRedisOptions) {
  if (url === undefined) return {};
  const { username, password, protocol } = new URL(url);
  return {
    username: decodeURIComponent(username) || undefined,
    password: decodeURIComponent(password) || undefined,
    db: databaseOf(url),
    tls: protocol === "rediss:" ? { secureContext } : undefined,
  };
}

/** Sentinels are reached with TLS if the primary is. */
function sentinelOptions(
  { addresses, name, password }: NonNullable<RedisServers["sentinels"]>,
  options: CreateRedisOptions,
): RedisOptions {
  const { tls } = accessOf(options);
  return {
    sentinels: addresses,
    name,
    sentinelPassword: password,
    sentinelTLS: tls,
    enableTLSForSentinelMode: tls !== undefined,
    // An idle subscription would not notice that its primary was replaced, if that hangs or is cut off.
    failoverDetector: true,
    sentinelReconnectStrategy: delayOf,
  };
}

function logOutages(redis: Redis, logger: Logger): void {
  const outage = createOutageLog(logger);
  redis.on("error", outage.begin);
  redis.on("ready", outage.end);
}

/** Logs begin and end of an outage once each: every reconnect fails with the same error. */
function createOutageLog(logger: Logger) {
  let unavailable = false;
  return {
    begin(error: unknown) {
      if (!unavailable) logger.warn({ err: error }, "Redis is unavailable");
      unavailable = true;
    },
    end() {
      if (unavailable) logger.info("Redis is available again");
      unavailable = false;
    },
  };
}

/**
 * Whether Redis refused a write as read-only. A primary that became a replica keeps its connections and refuses
 * writes on them. A new connection finds the new primary.
 */
function isRefusedWrite(error: Error): boolean {
  // In the error of a script, the code is in the middle of the text.
  return error.message.includes("READONLY");
}

/** Limits a condition: it returns true at most once in `ms`. */
function oncePer(ms: number, condition: (error: Error) => boolean): (error: Error) => boolean {
  let last = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (!condition(error) || performance.now() - last < ms) return false;
    last = performance.now();
    return true;
  };
}
