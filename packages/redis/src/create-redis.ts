import { type Logger, settings } from "@asset-register/runtime";
import { Redis, type RedisOptions } from "ioredis";

/** The settings of every process that uses Redis; spread them into its schema. */
export const redisSettings = {
  REDIS_URL: settings.url(),
  /** Nothing waits longer for Redis. */
  REDIS_TIMEOUT: settings.duration().prefault("50ms"),
};

const MAX_RECONNECT_MS = 1_000;

/**
 * A client that answers quickly or not at all, since every process goes on without Redis in its own way: a
 * command fails at once while Redis is away and after `timeoutMs` when it hangs, and none is sent again later.
 * `connect()` starts it; from then on it tries for ever by itself. What comes and goes is logged once each.
 */
export function createRedis({
  url,
  timeoutMs,
  logger,
  ...options
}: { url: string; timeoutMs: number; logger: Logger } & Pick<
  RedisOptions,
  "enableAutoPipelining" | "scripts"
>): Redis {
  const redis = new Redis(url, {
    ...options,
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: timeoutMs,
    connectTimeout: 2_000,
    retryStrategy: (times) => Math.min(times * 50, MAX_RECONNECT_MS),
  });
  let away = false;
  redis.on("error", (error) => {
    // Each try to connect fails anew: the first one says it all.
    if (!away) logger.warn({ err: error }, "Redis is away");
    away = true;
  });
  redis.on("ready", () => {
    if (away) logger.info("Redis is back");
    away = false;
  });
  return redis;
}
