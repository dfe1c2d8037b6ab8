import { createHash } from "node:crypto";
import type { Redis } from "ioredis";
import { z } from "zod";
import { VERSION_LIFE_MS, versionKey } from "./credential-versions.ts";
import { FINISH_SCRIPT, INGEST_SCRIPT } from "./ingest-script.ts";

/** A reader in a call, and the version of its cached secret. `fresh`: the secret was loaded in this call. */
export type GuardedReader = {
  readerId: string;
  version: number;
  fresh: boolean;
  workspaceId: string;
  /** The plan of the workspace, which sets its quota. */
  enterprise: boolean;
};

/** A signed event or request. */
export type GuardedItem = {
  /** The index of its reader. */
  reader: number;
  verified: boolean;
  /** A key that must be new, and the value that it has until the work is done. */
  claim?: { key: string; token: string } | undefined;
  /** Another key to read. */
  extra?: string | undefined;
  /** How many events it costs of the quota of its workspace. */
  events: number;
};

export type GuardLimits = {
  /** Of a reader; those of a second may come at once. */
  requestsPerSecond: number;
  /** Of a workspace, by its plan; those of `burstSeconds` may come at once. */
  eventsPerSecond: { enterprise: number; others: number };
  burstSeconds: number;
};

/** The answer of Redis for an item. */
export type GuardAnswer =
  | { code: "stale" }
  | { code: "refused" }
  | { code: "limited" | "quota"; retryAfterMs: number }
  | { code: "new"; extra: string }
  | { code: "taken"; held: string; extra: string };

/** How long a claim without an end stops a repeat from counting as the first. */
const PENDING_MS = 10_000;
/** How long a signature is valid: from 300 s before its time to 300 s after. */
const DONE_MS = 600_000;

/** The key of the rate at which the events of a workspace are processed, while they wait too long. */
export function slowRateKey(workspaceId: string): string {
  return `ingest:slow-rate:${workspaceId}`;
}

const answersSchema = z.array(z.tuple([z.string(), z.string(), z.string()]));

/** Checks versions of secrets, limits, nonces and repeats. Without Redis, ingest continues without these checks. */
export function createIngestGuard(
  redis: Redis,
  { requestsPerSecond, eventsPerSecond, burstSeconds }: GuardLimits,
) {
  // The requests of one second may come at the same time.
  const limits = [Math.ceil(1_000_000 / requestsPerSecond), 1_000_000];

  const checkScript = scriptOf(redis, INGEST_SCRIPT);
  const finishScript = scriptOf(redis, FINISH_SCRIPT);

  return {
    /**
     * Checks all items of a call in one round trip. The limit of a reader counts each of its items, or all of them once
     * when they are of one request. Then the quota admits all of them or none.
     * @throws Error when Redis does not answer in time
     */
    async check(
      readers: readonly GuardedReader[],
      items: readonly GuardedItem[],
      oneRequest: boolean,
    ): Promise<GuardAnswer[]> {
      const workspaces = new Map(readers.map(({ workspaceId, enterprise }) => [workspaceId, enterprise]));
      const ids = [...workspaces.keys()];
      const keys = readers.map(({ readerId }) => versionKey(readerId));
      keys.push(...readers.map(({ readerId }) => `ingest:limit:${readerId}`));
      keys.push(...ids.map((id) => `ingest:quota:${id}`));
      keys.push(...ids.map(slowRateKey));
      keys.push(...ids.map((id) => `ingest:slow:${id}`));
      const keyIndex = (key: string | undefined) => (key === undefined ? 0 : keys.push(key));
      const args: (string | number)[] = [readers.length, ids.length, PENDING_MS, VERSION_LIFE_MS, ...limits];
      args.push(oneRequest ? "1" : "0");
      const indexes = new Map(ids.map((id, index) => [id, index + 1]));
      for (const { version, fresh, workspaceId } of readers) {
        args.push(version, fresh ? "1" : "0", indexes.get(workspaceId) ?? 0);
      }
      for (const enterprise of workspaces.values()) {
        const rate = enterprise ? eventsPerSecond.enterprise : eventsPerSecond.others;
        args.push(1_000_000 / rate, burstSeconds * 1_000_000);
      }
      for (const { reader, verified, claim, extra, events } of items) {
        args.push(
          reader + 1,
          verified ? "1" : "0",
          keyIndex(claim?.key),
          keyIndex(extra),
          claim?.token ?? "",
          events,
        );
      }
      return answersSchema.parse(await checkScript(keys, args)).map(toAnswer);
    },
    /** Ends claims whose work is done. From now on a repeat is a duplicate. */
    async finish(done: readonly { key: string; value: string }[]): Promise<void> {
      if (done.length === 0) return;
      await finishScript(
        done.map(({ key }) => key),
        [DONE_MS, ...done.map(({ value }) => value)],
      );
    },
    /** Removes claims whose work failed. So a repeat is not a duplicate. */
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
    case "quota":
      return { code, retryAfterMs: Math.ceil(Number(detail) / 1000) };
    case "refused":
      return { code };
    default:
      return { code: "stale" };
  }
}

/** Runs a script by its hash. When Redis does not have the script, its text is sent. */
export function scriptOf(redis: Redis, text: string) {
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
