import type { Logger } from "@asset-register/runtime";
import { Redis } from "ioredis";

export type RedisOptions = { url: string; timeoutMs: number; logger: Logger };

/**
 * A Redis client that answers quickly or not at all: nothing waits for a
 * connection and a command gives up after `timeoutMs`, since ingest goes on without.
 */
export function connectRedis({ url, timeoutMs, logger }: RedisOptions): Redis {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: timeoutMs,
    connectTimeout: 1_000,
    retryStrategy: (times) => Math.min(times * 50, 1_000),
  });
  let away = false;
  redis.on("error", (error) => {
    if (!away) logger.warn({ err: error }, "Redis is away; going on without it");
    away = true;
  });
  redis.on("ready", () => {
    if (away) logger.info("Redis is back");
    away = false;
  });
  return redis;
}
