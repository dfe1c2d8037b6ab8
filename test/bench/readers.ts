import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type ReaderKey, readerKey } from "@asset-register/harness/client";
import type { BenchPlatform } from "./platform.ts";

const TAGS = 5_000;

/** Restarts tagging-ingest with only its role `api`, so that its worker does not use CPU time. Returns the undo. */
export async function runApiRoleOnly({ platform, userApi }: BenchPlatform): Promise<() => Promise<void>> {
  const service = platform.services["tagging-ingest"];
  if (service === undefined) throw new Error("tagging-ingest is not running");
  const restart = async (settings?: Record<string, string>): Promise<void> => {
    await service.restart(settings);
    // The gateway reconnects automatically, and refuses calls until then.
    await retryUntilSuccess(() => userApi.get("/readers"));
  };
  await restart({ ROLES: "api" });
  return () => restart();
}

/** Repeats a request that fails: on a busy machine, calls between services can time out. */
export async function retryUntilSuccess<T>(request: () => Promise<T>, retries = 50): Promise<T> {
  for (let left = retries; ; left -= 1) {
    try {
      return await request();
    } catch (error) {
      if (left === 0) throw error;
      await sleep(200);
    }
  }
}

/** The processes that handle an event before its 202, without Kafka and Redis. */
export const ingestProcesses = ({ platform }: BenchPlatform): Record<string, number> => ({
  gateway: platform.gateway.pid(),
  "tagging-ingest": platform.services["tagging-ingest"]?.pid() ?? 0,
});

/** The first readers of this run, of which it creates as many as are missing, 32 at once. */
export async function createReaders(
  { userApi, readers }: BenchPlatform,
  count: number,
): Promise<ReaderKey[]> {
  let made = readers.length;
  const makeSome = async (): Promise<void> => {
    while (made < count) {
      made += 1;
      const fields = { name: `Bench ${made}`, kind: "fixed_portal" };
      const { id, secret } = await retryUntilSuccess(() =>
        userApi.post<{ id: string; secret: string }>("/readers", fields),
      );
      readers.push(readerKey(id, secret));
    }
  };
  await Promise.all(Array.from({ length: 32 }, makeSome));
  return readers.slice(0, count);
}

/** Returns the items one after the other, again and again. */
export function rotate<T>(items: readonly T[]): () => T {
  let next = 0;
  return () => {
    next = (next + 1) % items.length;
    const item = items[next];
    if (item === undefined) throw new Error("nothing to rotate");
    return item;
  };
}

/** Creates readers. The returned function returns them in rotation. */
export const createReaderRotation = async (bench: BenchPlatform, count: number): Promise<() => ReaderKey> =>
  rotate(await createReaders(bench, count));

export type Read = { epc: string; ts: string };

/** Makes reads that are all different, because the same read again would be a duplicate. Each has a different time. */
export function readSource(): () => Read {
  const tags = Array.from({ length: TAGS }, (_, index) => {
    const serial = createHash("md5").update(String(index)).digest("hex").slice(0, 16);
    return `34740000${serial}`.toUpperCase();
  });
  let index = 0;
  return () => {
    index = (index + 1) % 1_000_000;
    const now = new Date().toISOString().slice(0, -1);
    return { epc: tags[index % TAGS] ?? "", ts: `${now}${String(index).padStart(6, "0")}Z` };
  };
}
