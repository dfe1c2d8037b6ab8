export { type CreateRedisOptions, createRedis, type RedisClient } from "./create-redis.ts";
export { createFallbacks, type Fallbacks } from "./fallbacks.ts";
export { createNews, type News, subscribe } from "./news.ts";
export { namesRedis, type RedisConfig, redisOptions, redisSettings } from "./settings.ts";
export { bySlot, getAll, mapBySlot } from "./slots.ts";
