import { bySlot, type RedisClient } from "@asset-register/redis";
import { ingestKey, slowRateKey } from "./ingest-key.ts";
import { scriptOf } from "./script.ts";

/** How many events of a workspace a worker processed since its last report. */
export type Processed = {
  workspaceId: string;
  events: number;
  /** Some of them had waited too long. */
  lagging: boolean;
};

/** A worker reports every second. When no event waits too long any more, the quota is back after this time. */
const SLOW_MS = 10_000;
/** Lower rates would stop a small workspace whose events wait behind those of a large one. */
const LOWEST_RATE = 10;

/**
 * Adds the counts of all workers in buckets of 10 s of the clock of Redis. KEYS: for each workspace its counts and its
 * slow rate. ARGV: the life of a slow rate in ms, the lowest rate, then for each workspace its count and whether it lags.
 */
const REPORT_SCRIPT = `
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1000000
local bucket = math.floor(now / 10)
for index = 1, #KEYS, 2 do
  local counts = KEYS[index]
  local current = redis.call('HINCRBY', counts, bucket, ARGV[index + 2])
  redis.call('HDEL', counts, bucket - 2, bucket - 3)
  redis.call('PEXPIRE', counts, 20000)
  if ARGV[index + 3] == '1' then
    local before = redis.call('HGET', counts, bucket - 1)
    local seconds = math.max(now - bucket * 10, 1) + (before and 10 or 0)
    local rate = math.max((current + tonumber(before or '0')) / seconds, tonumber(ARGV[2]))
    redis.call('SET', KEYS[index + 1], string.format('%.3f', rate), 'PX', ARGV[1])
  end
end
`;

/** The rates at which workers process the events of a workspace. The guard of ingest reads them while a worker lags. */
export function createIntakeRates(redis: RedisClient) {
  const reportScript = scriptOf(redis, REPORT_SCRIPT);
  return {
    /** @throws Error when Redis does not answer in time */
    async report(processed: readonly Processed[]): Promise<void> {
      await Promise.all(bySlot(redis, processed, ({ workspaceId }) => workspaceId).map(reportOfSlot));
    },
  };

  async function reportOfSlot(processed: readonly Processed[]): Promise<void> {
    const keys = processed.flatMap(({ workspaceId }) => [
      ingestKey(workspaceId, "processed"),
      slowRateKey(workspaceId),
    ]);
    const counts = processed.flatMap(({ events, lagging }) => [events, lagging ? "1" : "0"]);
    await reportScript(keys, [SLOW_MS, LOWEST_RATE, ...counts]);
  }
}
