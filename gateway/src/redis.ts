import { type CreateRedisOptions, createRedis, type RedisClient } from "@asset-register/redis";
import type { Redis, Result } from "ioredis";

/** [1 when allowed or 0, remaining, retry after in ms, reset in ms, ...versions, "0" for a missing one] */
type AllowanceReply = [number, number, number, number, ...string[]];

declare module "ioredis" {
  interface RedisCommander<Context> {
    takeAllowance(...keyCountKeysIntervalAndBurst: (string | number)[]): Result<AllowanceReply, Context>;
    /** Returns the reset in ms. */
    charge(...keyCountKeyAndInterval: (string | number)[]): Result<number, Context>;
  }
}

export type RedisWithLimit = RedisClient & Pick<Redis, "takeAllowance" | "charge">;

/** gcra() of rate-limit.ts, in microseconds of Redis' clock. It also reads the versions of the credential. */
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

/** Counts what has already happened, so also beyond the limit. */
const CHARGE = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local next = math.max(tonumber(redis.call('GET', KEYS[1]) or 0), now) + tonumber(ARGV[1])
local reset = math.ceil((next - now) / 1000)
redis.call('SET', KEYS[1], string.format('%.0f', next), 'PX', reset)
return reset
`;

const scripts = { takeAllowance: { lua: TAKE_ALLOWANCE }, charge: { lua: CHARGE } };

/** A client with the scripts of the rate limits. Commands of the same tick share a round trip, but on a cluster. */
export const connectRedis = (options: CreateRedisOptions): RedisWithLimit =>
  withScripts(createRedis({ ...options, enableAutoPipelining: true, scripts }));

/** The methods of scripts are added by their names, which the type of a client does not show. */
function withScripts(redis: RedisClient): RedisWithLimit {
  if (!hasScripts(redis)) throw new Error("the scripts of the rate limits are missing");
  return redis;
}

const hasScripts = (redis: RedisClient): redis is RedisWithLimit =>
  Object.keys(scripts).every((name) => name in redis);
