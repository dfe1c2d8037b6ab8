import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type ReaderKey, readerKey } from "@asset-register/harness/client";
import type { BenchPlatform } from "./platform.ts";

const TAGS = 5_000;

/** Accepting alone is measured: the worker that makes sightings of the reads has a benchmark of its own. */
export async function acceptOnly({ platform, people }: BenchPlatform): Promise<() => Promise<void>> {
  const service = platform.services["tagging-ingest"];
  if (service === undefined) throw new Error("tagging-ingest is not running");
  const restart = async (settings?: Record<string, string>): Promise<void> => {
    await service.restart(settings);
    // The gateway connects anew by itself, and refuses calls until it has.
    await untilAnswered(() => people.get("/readers"));
  };
  await restart({ ROLES: "api" });
  return () => restart();
}

async function untilAnswered(ask: () => Promise<unknown>, tries = 50): Promise<void> {
  for (let left = tries; ; left -= 1) {
    try {
      await ask();
      return;
    } catch (error) {
      if (left === 0) throw error;
      await sleep(200);
    }
  }
}

/** What an event goes through before its 202, but for the servers. */
export const accepting = ({ platform }: BenchPlatform): Record<string, number> => ({
  gateway: platform.gateway.pid(),
  "tagging-ingest": platform.services["tagging-ingest"]?.pid() ?? 0,
});

/** Makes readers and answers them one after the other, for ever. */
export async function readersInTurn({ people }: BenchPlatform, count: number): Promise<() => ReaderKey> {
  const readers: ReaderKey[] = [];
  for (let index = 0; index < count; index += 1) {
    const { id, secret } = await people.post<{ id: string; secret: string }>("/readers", {
      name: `Bench ${index}`,
      kind: "fixed_portal",
    });
    readers.push(readerKey(id, secret));
  }
  let turn = 0;
  return () => {
    turn = (turn + 1) % count;
    const reader = readers[turn];
    if (reader === undefined) throw new Error("there is no reader");
    return reader;
  };
}

export type Read = { epc: string; ts: string };

/** Never the same event twice, which would be a duplicate: its time says which one it is. */
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
