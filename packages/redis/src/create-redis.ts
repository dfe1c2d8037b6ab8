import type { SecureContext } from "node:tls";
import { type CertificateWatch, type Logger, settings } from "@asset-register/runtime";
import { Redis, type RedisOptions } from "ioredis";

/** The settings of every process that uses Redis. Spread them into its schema. */
export const redisSettings = {
  REDIS_URL: settings.url(),
  /** The certificate authority of a server with `rediss://`. Default: those of the system. */
  REDIS_TLS_CA: settings.pemOrFile().optional(),
  /** Time-out of one command. */
  REDIS_TIMEOUT: settings.duration().prefault("50ms"),
};

type Config = { REDIS_URL: string; REDIS_TLS_CA?: string | undefined; REDIS_TIMEOUT: number };

/** Converts parsed settings to options of createRedis. */
export const redisOptions = (
  { REDIS_URL, REDIS_TLS_CA: ca, REDIS_TIMEOUT }: Config,
  certificates: CertificateWatch,
) => ({
  url: REDIS_URL,
  secureContext: ca === undefined ? undefined : certificates.add("redis", { ca }).context,
  timeoutMs: REDIS_TIMEOUT,
});

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
 */
export function createRedis({
  url,
  secureContext,
  timeoutMs,
  logger,
  ...options
}: { url: string; secureContext?: SecureContext | undefined; timeoutMs: number; logger: Logger } & Pick<
  RedisOptions,
  "enableAutoPipelining" | "scripts"
>): Redis {
  const redis = new Redis(url, {
    ...options,
    ...(secureContext !== undefined && { tls: { secureContext } }),
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: timeoutMs,
    connectTimeout: 2_000,
    socketTimeout: Math.max(2_000, 4 * timeoutMs),
    retryStrategy: (times) => Math.min(times * 50, MAX_RECONNECT_MS),
    reconnectOnError: oncePer(REFUSED_WRITE_RECONNECT_MS, isRefusedWrite),
  });
  let unavailable = false;
  redis.on("error", (error) => {
    // Every reconnect fails with the same error, so only the first is logged.
    if (!unavailable) logger.warn({ err: error }, "Redis is unavailable");
    unavailable = true;
  });
  redis.on("ready", () => {
    if (unavailable) logger.info("Redis is available again");
    unavailable = false;
  });
  return redis;
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
