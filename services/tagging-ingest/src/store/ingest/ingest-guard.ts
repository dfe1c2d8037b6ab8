import { bySlot, mapBySlot, type RedisClient } from "@asset-register/redis";
import { z } from "zod";
import { VERSION_LIFE_MS } from "./credential-versions.ts";
import { ingestKey, slowRateKey, versionKey } from "./ingest-key.ts";
import { FINISH_SCRIPT, INGEST_SCRIPT } from "./ingest-script.ts";
import { scriptOf } from "./script.ts";

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
  /** The same object for all items of a reader. */
  reader: GuardedReader;
  verified: boolean;
  /** A key of its workspace that must be new, and the value that it has until the work is done. */
  claim?: { key: string; token: string } | undefined;
  /** Another key of its workspace to read. */
  extra?: string | undefined;
  /** How many events it costs of the quota of its workspace. */
  events: number;
};

/** A claim that was made with `key`. */
export type Claimed = { workspaceId: string; key: string };

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

const answersSchema = z.array(z.tuple([z.string(), z.string(), z.string()]));

/** Checks versions of secrets, limits, nonces and repeats. Without Redis, ingest continues without these checks. */
export function createIngestGuard(
  redis: RedisClient,
  { requestsPerSecond, eventsPerSecond, burstSeconds }: GuardLimits,
) {
  // The requests of one second may come at the same time.
  const limits = [Math.ceil(1_000_000 / requestsPerSecond), 1_000_000];

  const checkScript = scriptOf(redis, INGEST_SCRIPT);
  const finishScript = scriptOf(redis, FINISH_SCRIPT);

  async function checkSlot(items: readonly GuardedItem[], oneRequest: boolean): Promise<GuardAnswer[]> {
    const readers = [...new Set(items.map(({ reader }) => reader))];
    const workspaces = new Map(readers.map(({ workspaceId, enterprise }) => [workspaceId, enterprise]));
    const ids = [...workspaces.keys()];
    const keys = readers.map(({ workspaceId, readerId }) => versionKey(workspaceId, readerId));
    keys.push(...readers.map(({ workspaceId, readerId }) => ingestKey(workspaceId, `limit:${readerId}`)));
    keys.push(...ids.map((id) => ingestKey(id, "quota")));
    keys.push(...ids.map(slowRateKey));
    keys.push(...ids.map((id) => ingestKey(id, "slow")));
    const keyIndex = (workspaceId: string, name: string | undefined) =>
      name === undefined ? 0 : keys.push(ingestKey(workspaceId, name));
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
    const readerIndexes = new Map(readers.map((reader, index) => [reader, index + 1]));
    for (const { reader, verified, claim, extra, events } of items) {
      const { workspaceId } = reader;
      args.push(
        readerIndexes.get(reader) ?? 0,
        verified ? "1" : "0",
        keyIndex(workspaceId, claim?.key),
        keyIndex(workspaceId, extra),
        claim?.token ?? "",
        events,
      );
    }
    return answersSchema.parse(await checkScript(keys, args)).map(toAnswer);
  }

  return {
    /**
     * Checks all items of a call in one round trip; on a cluster, those of each workspace. The limit of a reader counts each
     * of its items, or all of them once when they are of one request. Then the quota admits all of them or none.
     * @throws Error when Redis does not answer in time
     */
    async check(items: readonly GuardedItem[], oneRequest: boolean): Promise<GuardAnswer[]> {
      const answers = await mapBySlot(
        redis,
        items,
        ({ reader }) => reader.workspaceId,
        (group) => checkSlot(group, oneRequest),
      );
      return items.map((_, at) => answers[at] ?? { code: "stale" });
    },
    /** Ends claims whose work is done. From now on a repeat is a duplicate. */
    async finish(done: readonly (Claimed & { value: string })[]): Promise<void> {
      await Promise.all(
        bySlot(redis, done, workspaceOf).map((group) =>
          finishScript(group.map(keyOf), [DONE_MS, ...group.map(({ value }) => value)]),
        ),
      );
    },
    /** Removes claims whose work failed. So a repeat is not a duplicate. */
    async release(claims: readonly Claimed[]): Promise<void> {
      await Promise.all(bySlot(redis, claims, workspaceOf).map((group) => redis.del(...group.map(keyOf))));
    },
  };
}

const workspaceOf = ({ workspaceId }: Claimed): string => workspaceId;
const keyOf = ({ workspaceId, key }: Claimed): string => ingestKey(workspaceId, key);

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
