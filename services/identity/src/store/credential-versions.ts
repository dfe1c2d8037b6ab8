import type { RedisClient } from "@asset-register/redis";
import { type Logger, unavailable } from "@asset-register/runtime";

/** Gateways cache a credential for at most 5 s. A minute leaves room for clocks and pauses. */
const KEPT_SECONDS = 60;

// Writers may overtake each other after their commits, so the highest rev stays.
const RAISE = `
local current = tonumber(redis.call("GET", KEYS[1]) or "0")
if tonumber(ARGV[1]) > current then redis.call("SET", KEYS[1], ARGV[1], "EX", ARGV[2]) end
return 1`;

/** One late answer on a busy machine does not mean that Redis is unavailable. */
const TRIES = 3;

/** The revs in Redis with which gateways compare what they have cached. */
export type CredentialVersions = {
  /**
   * Publishes the rev of a session, key, user or workspace: cached answers of earlier revs are stale. It never fails.
   * Without Redis a gateway asks identity again within 5 s.
   */
  raise(id: string, rev: number): Promise<void>;
  /**
   * For operations that may end tokens although nobody asked for it, and that can be done later.
   * @throws AppError UNAVAILABLE without Redis, before anything is done
   */
  requireReachable(): Promise<void>;
};

export function createCredentialVersions(redis: RedisClient, logger: Logger): CredentialVersions {
  return {
    async raise(id, rev) {
      try {
        await withTries(() => redis.eval(RAISE, 1, `credential-version:${id}`, rev, KEPT_SECONDS));
      } catch (error) {
        logger.warn({ error, credential_id: id }, "a revocation could not be published in Redis");
      }
    },

    async requireReachable() {
      try {
        await withTries(() => redis.ping());
      } catch (cause) {
        throw unavailable("Sign-in is unavailable. Please try again.", undefined, cause);
      }
    },
  };
}

async function withTries(command: () => Promise<unknown>): Promise<void> {
  for (let left = TRIES - 1; ; left -= 1) {
    try {
      await command();
      return;
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}
