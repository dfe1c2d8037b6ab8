import { createHash } from "node:crypto";
import type { Redis } from "ioredis";
import { z } from "zod";
import { VERSION_LIFE_MS, versionKey } from "./credential-versions.ts";
import { FINISH_SCRIPT, INGEST_SCRIPT } from "./ingest-script.ts";

/** A reader that signed something in this call, with the state of the secret that was used. */
export type GuardedReader = { readerId: string; version: number; fresh: boolean };

/** One signed thing. */
export type GuardedItem = {
  /** Index into the readers. */
  reader: number;
  verified: boolean;
  /** What must be new, and what its claim holds until it is done. */
  claim?: { key: string; token: string };
  /** Another key to read. */
  extra?: string;
};

/** What Redis says of an item. */
export type GuardAnswer =
  | { code: "stale" }
  | { code: "refused" }
  | { code: "limited"; retryAfterMs: number }
  | { code: "new"; extra: string }
  | { code: "taken"; held: string; extra: string };

export type IngestGuard = ReturnType<typeof createIngestGuard>;

/** How long a claim that nobody finished keeps a repeat from counting as the first. */
const PENDING_MS = 10_000;
/** As long as a signature may come again: 300 s before and after. */
const DONE_MS = 600_000;

const answersSchema = z.array(z.tuple([z.string(), z.string(), z.string()]));

/** Versions of secrets, limits, nonces and repeats: what makes ingest's answers exact while Redis is there. */
export function createIngestGuard(redis: Redis, { requestsPerSecond }: { requestsPerSecond: number }) {
  // A second's worth may come at once.
  const limits = [Math.ceil(1_000_000 / requestsPerSecond), 1_000_000];

  const checkScript = scriptOf(redis, INGEST_SCRIPT);
  const finishScript = scriptOf(redis, FINISH_SCRIPT);

  return {
    /**
     * One round trip for everything of a call. A reader is charged for each of
     * its items, or once when they are of one request. Throws when Redis does
     * not answer in time.
     */
    async check(
      readers: readonly GuardedReader[],
      items: readonly GuardedItem[],
      oneRequest: boolean,
    ): Promise<GuardAnswer[]> {
      const keys = readers.map(({ readerId }) => versionKey(readerId));
      keys.push(...readers.map(({ readerId }) => `ingest:limit:${readerId}`));
      const keyIndex = (key: string | undefined) => (key === undefined ? 0 : keys.push(key));
      const args: (string | number)[] = [readers.length, PENDING_MS, VERSION_LIFE_MS, ...limits];
      args.push(oneRequest ? "1" : "0");
      for (const { version, fresh } of readers) args.push(version, fresh ? "1" : "0");
      for (const { reader, verified, claim, extra } of items) {
        args.push(
          reader + 1,
          verified ? "1" : "0",
          keyIndex(claim?.key),
          keyIndex(extra),
          claim?.token ?? "",
        );
      }
      return answersSchema.parse(await checkScript(keys, args)).map(toAnswer);
    },
    /** Says that what was claimed is done: a repeat is one from now on. */
    async finish(done: readonly { key: string; value: string }[]): Promise<void> {
      if (done.length === 0) return;
      await finishScript(
        done.map(({ key }) => key),
        [DONE_MS, ...done.map(({ value }) => value)],
      );
    },
    /** Gives claims back whose work failed, so that the repeat is not taken for a duplicate. */
    async release(keys: readonly string[]): Promise<void> {
      if (keys.length > 0) await redis.del(...keys);
    },
  };
}

function toAnswer([code, detail, extra]: [string, string, string]): GuardAnswer {
  switch (code) {
    case "new":
      return { code, extra };
    case "taken":
      return { code, held: detail, extra };
    case "limited":
      return { code, retryAfterMs: Math.ceil(Number(detail) / 1000) };
    case "refused":
      return { code };
    default:
      return { code: "stale" };
  }
}

/** Runs a script by its hash; Redis learns its text when it has forgotten it. */
function scriptOf(redis: Redis, text: string) {
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
