import type { Logger } from "@asset-register/runtime";
import type { Redis } from "ioredis";

export type CredentialVersions = ReturnType<typeof createCredentialVersions>;

/** A version that nobody asked for so long is forgotten; whoever needs it loads the secret and sets it again. */
export const VERSION_LIFE_MS = 60_000;
/** A change that did not say its end within this time (its process died) has ended. */
const CHANGING_MS = 10_000;

/** The key of a reader's version of secrets. */
export function versionKey(readerId: string): string {
  return `ingest:version:${readerId}`;
}

/**
 * The versions that caches of secrets compare with, in the call to Redis that
 * they make anyway, so that rotating and revoking hold at once. A failure here
 * fails no change: caches live 10 s (1 s while Redis is away).
 */
export function createCredentialVersions(redis: Redis, logger: Logger) {
  async function write(keys: readonly string[], value: string, ms: number): Promise<void> {
    try {
      const pipeline = redis.pipeline();
      for (const key of keys) pipeline.set(key, value, "PX", ms);
      await pipeline.exec();
    } catch (error) {
      logger.warn({ err: error }, "versions of secrets not written; caches end by themselves");
    }
  }
  return {
    /** Before a change is committed: from now on nobody trusts a cache. */
    changing: (readerIds: readonly string[]) => write(readerIds.map(versionKey), "x", CHANGING_MS),
    /** After the commit. */
    changed: (readerId: string, version: number) =>
      write([versionKey(readerId)], String(version), VERSION_LIFE_MS),
  };
}
