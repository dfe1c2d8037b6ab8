import type { Logger } from "@asset-register/runtime";
import { Redis } from "ioredis";

export type RedisOptions = { url: string; timeoutMs: number; logger: Logger };

/** Commands fail at once while Redis is away, and after `timeoutMs` when it hangs: nothing waits for it longer. */
export async function connectRedis({ url, timeoutMs, logger }: RedisOptions): Promise<Redis> {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    commandTimeout: timeoutMs,
  });
  redis.on("error", (error) => logger.warn({ error }, "Redis is away"));
  // It goes on trying by itself; the service starts without it.
  await redis.connect().catch(() => undefined);
  return redis;
}
