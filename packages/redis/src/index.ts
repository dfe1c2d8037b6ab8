export { createRedis, redisOptions, redisSettings } from "./create-redis.ts";
export { createFallbacks, type Fallbacks } from "./fallbacks.ts";
