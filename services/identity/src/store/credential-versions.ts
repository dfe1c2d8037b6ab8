import { type Logger, unavailable } from "@asset-register/runtime";
import type { Redis } from "ioredis";

/**
 * Gateways keep what they know of a credential for at most 5 s, so a change
 * has to be seen in Redis that long; a minute leaves room for clocks and pauses.
 */
const KEPT_SECONDS = 60;

// Writers may overtake each other after their commits: the highest version stays.
const RAISE = `
local current = tonumber(redis.call("GET", KEYS[1]) or "0")
if tonumber(ARGV[1]) > current then redis.call("SET", KEYS[1], ARGV[1], "EX", ARGV[2]) end
return 1`;

/** One answer that is late on a busy machine is no Redis that is away. */
const TRIES = 3;

export type CredentialVersions = {
  /** Tells the gateways that what they keep of this session, key, user or workspace is stale. */
  raise(id: string, version: number): Promise<void>;
  /**
   * For what may end tokens that nobody asked to end, and can as well be done later.
   *
   * @throws AppError UNAVAILABLE while Redis can't be told, before anything was done
   */
  requireReachable(): Promise<void>;
};

/**
 * Redis being away fails no revocation: it stands in the database, and a
 * gateway that still reads the old version asks again within 5 s.
 */
export function credentialVersions(redis: Redis, logger: Logger): CredentialVersions {
  return {
    async raise(id, version) {
      try {
        await insist(() => redis.eval(RAISE, 1, `credential-version:${id}`, version, KEPT_SECONDS));
      } catch (error) {
        logger.warn({ error, credential_id: id }, "a revocation could not be told to Redis");
      }
    },

    async requireReachable() {
      try {
        await insist(() => redis.ping());
      } catch (cause) {
        throw unavailable("Nobody can sign in right now, please try again", undefined, cause);
      }
    },
  };
}

async function insist(command: () => Promise<unknown>): Promise<void> {
  for (let left = TRIES - 1; ; left -= 1) {
    try {
      await command();
      return;
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}
