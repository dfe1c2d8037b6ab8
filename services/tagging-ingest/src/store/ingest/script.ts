import { createHash } from "node:crypto";
import type { RedisClient } from "@asset-register/redis";

/** Runs a script by its hash. When Redis does not have the script, its text is sent. */
export function scriptOf(redis: Pick<RedisClient, "eval" | "evalsha">, text: string) {
  const sha = createHash("sha1").update(text).digest("hex");
  return async (keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> => {
    try {
      return await redis.evalsha(sha, keys.length, ...keys, ...args);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
      return redis.eval(text, keys.length, ...keys, ...args);
    }
  };
}
