export { createRedis, redisOptions, redisSettings } from "./create-redis.ts";
export { createFallbacks, type Fallbacks } from "./fallbacks.ts";
export { createNews, type News, subscribe } from "./news.ts";
