import { type Logger, settings } from "@asset-register/runtime";
import { Redis, type RedisOptions } from "ioredis";

/** The settings of every process that uses Redis; spread them into its schema. */
export const redisSettings = {
  REDIS_URL: settings.url(),
  /** Nothing waits longer for Redis. */
  REDIS_TIMEOUT: settings.duration().prefault("50ms"),
};

const MAX_RECONNECT_MS = 1_000;
/** A Redis that stays read-only is still good for reading: it is not left for each refusal. */
const REFUSED_WRITE_RECONNECT_MS = 10_000;

/**
 * A client that answers quickly or not at all, since every process goes on without Redis in its own way: a
 * command fails at once while Redis is away and after `timeoutMs` when it hangs, and none is sent again later.
 * `connect()` starts it; from then on it tries for ever by itself. What comes and goes is logged once each.
 *
 * A command that timed out stays in ioredis' queue for as long as its connection, so a connection on which
 * nothing comes back is ended. It is measured only while commands wait: an idle one stays.
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
    socketTimeout: Math.max(2_000, 4 * timeoutMs),
    retryStrategy: (times) => Math.min(times * 50, MAX_RECONNECT_MS),
    reconnectOnError: oncePer(REFUSED_WRITE_RECONNECT_MS, isRefusedWrite),
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

/** A primary that became a replica keeps its connections, and refuses writes on them; a new one finds the new primary. */
function isRefusedWrite(error: Error): boolean {
  // Within a script the code stands in the middle of the text.
  return error.message.includes("READONLY");
}

function oncePer(ms: number, holds: (error: Error) => boolean): (error: Error) => boolean {
  let last = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (!holds(error) || performance.now() - last < ms) return false;
    last = performance.now();
    return true;
  };
}
