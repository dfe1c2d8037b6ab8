import type { Logger } from "@asset-register/runtime";
import { Redis } from "ioredis";

/** Commands fail at once while Redis is away: what they tell it is told without waiting. */
export async function connectRedis(url: string, logger: Logger): Promise<Redis> {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    commandTimeout: 50,
  });
  redis.on("error", (error) => logger.warn({ error }, "Redis is away"));
  // It goes on trying by itself; the service starts without it.
  await redis.connect().catch(() => undefined);
  return redis;
}
