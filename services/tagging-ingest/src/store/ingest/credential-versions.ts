import type { RedisClient } from "@asset-register/redis";
import type { Logger } from "@asset-register/runtime";
import { versionKey } from "./ingest-key.ts";

/** How long an unused version is kept. After that, a process that needs it loads the secret and sets it again. */
export const VERSION_LIFE_MS = 60_000;
/** A change whose end was not reported within this time has ended: its process died. */
const CHANGING_MS = 10_000;

/**
 * The versions that caches of secrets compare theirs with, in the call to Redis that they make anyway. So a rotated or
 * revoked secret ends immediately. A failure here does not fail the change: caches live 10 s (1 s while Redis is
 * unavailable).
 */
export function createCredentialVersions(redis: RedisClient, logger: Logger) {
  async function write(keys: readonly string[], value: string, ms: number): Promise<void> {
    try {
      const pipeline = redis.pipeline();
      for (const key of keys) pipeline.set(key, value, "PX", ms);
      await pipeline.exec();
    } catch (error) {
      logger.warn({ err: error }, "versions of secrets not written; caches expire after their time to live");
    }
  }
  return {
    /** Before a change is committed: from now on no cache is trusted. */
    changing: (workspaceId: string, readerIds: readonly string[]) =>
      write(
        readerIds.map((id) => versionKey(workspaceId, id)),
        "x",
        CHANGING_MS,
      ),
    /** After the commit. */
    changed: (workspaceId: string, readerId: string, version: number) =>
      write([versionKey(workspaceId, readerId)], String(version), VERSION_LIFE_MS),
  };
}
