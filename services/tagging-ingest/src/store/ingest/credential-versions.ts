import type { Logger } from "@asset-register/runtime";
import type { Redis } from "ioredis";

/** How long an unused version is kept. After that, a process that needs it loads the secret and sets it again. */
export const VERSION_LIFE_MS = 60_000;
/** A change whose end was not reported within this time has ended: its process died. */
const CHANGING_MS = 10_000;

/** The key of the version of a reader's secrets. */
export function versionKey(readerId: string): string {
  return `ingest:version:${readerId}`;
}

/**
 * The versions that caches of secrets compare theirs with, in the call to Redis that they make anyway. So a rotated or
 * revoked secret ends immediately. A failure here does not fail the change: caches live 10 s (1 s while Redis is
 * unavailable).
 */
export function createCredentialVersions(redis: Redis, logger: Logger) {
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
    changing: (readerIds: readonly string[]) => write(readerIds.map(versionKey), "x", CHANGING_MS),
    /** After the commit. */
    changed: (readerId: string, version: number) =>
      write([versionKey(readerId)], String(version), VERSION_LIFE_MS),
  };
}
