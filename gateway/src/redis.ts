import type { Logger } from "@asset-register/runtime";
import { Redis, type Result } from "ioredis";

/** [allowed 1 or 0, remaining, retry after ms, reset ms, ...the versions, "0" where there is none] */
type AllowanceReply = [number, number, number, number, ...string[]];

declare module "ioredis" {
  interface RedisCommander<Context> {
    takeAllowance(...keyCountKeysIntervalAndBurst: (string | number)[]): Result<AllowanceReply, Context>;
  }
}

export type RedisWithLimit = Redis;

/** GCRA in microseconds of Redis' clock: gcra() of rate-limit.ts, with the versions read along. */
const TAKE_ALLOWANCE = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local interval = tonumber(ARGV[1])
local tolerance = interval * tonumber(ARGV[2])
local theoretical = tonumber(redis.call('GET', KEYS[1]) or 0)
local reply = {}
for i = 2, #KEYS do reply[i + 3] = redis.call('GET', KEYS[i]) or '0' end
local next = math.max(theoretical, now) + interval
local allowedAt = next - tolerance
if allowedAt > now then
  reply[1], reply[2] = 0, 0
  reply[3], reply[4] = math.ceil((allowedAt - now) / 1000), math.ceil((theoretical - now) / 1000)
  return reply
end
redis.call('SET', KEYS[1], string.format('%.0f', next), 'PX', math.ceil((next - now) / 1000))
reply[1], reply[2] = 1, math.floor((now - allowedAt) / interval)
reply[3], reply[4] = 0, math.ceil((next - now) / 1000)
return reply
`;

export type RedisOptions = { url: string; timeoutMs: number; logger: Logger };

/**
 * A client that `connect` starts and that goes on trying by itself: requests never
 * wait for Redis beyond the time-out of a command (there is no offline queue), and
 * commands of one tick share a round trip.
 */
export function connectRedis({ url, timeoutMs, logger }: RedisOptions): RedisWithLimit {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    connectTimeout: 2_000,
    enableAutoPipelining: true,
    commandTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    scripts: { takeAllowance: { lua: TAKE_ALLOWANCE } },
  });
  let away = false;
  redis.on("error", (error) => {
    // Each try to connect fails anew: the first one says it all.
    if (!away) logger.warn({ err: error }, "redis is away");
    away = true;
  });
  redis.on("ready", () => {
    if (away) logger.info("redis is back");
    away = false;
  });
  return redis;
}
