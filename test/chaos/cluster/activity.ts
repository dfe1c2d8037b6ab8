import { setTimeout as sleep } from "node:timers/promises";
import type { Send } from "./clients.ts";

/** What a comparison of the ledger with the store has found. Both must be 0. */
export type Verdict = { what: string; acknowledged: number; lost: number; doubled: number };

export type Verified = {
  /** Compares the ledger with what is stored or was received. It is repeated until nothing is missing, or time is over. */
  verify(): Promise<Verdict>;
};

/** One kind of work of the mixed load, with a ledger of what was acknowledged. */
export type Activity = Verified & {
  /** Does the work once. Steps of an activity never overlap. */
  step(): Promise<void>;
};

/** All rows of a list. */
export async function readAll<T>(send: Send, path: string): Promise<T[]> {
  const rows: T[] = [];
  for (let page = 1; ; page += 1) {
    const separator = path.includes("?") ? "&" : "?";
    const { data } = await send<{ data: T[] }>("GET", `${path}${separator}per_page=100&page=${page}`);
    rows.push(...data);
    if (data.length < 100) return rows;
  }
}

export const countOver = (counts: Iterable<number>, limit: number): number =>
  [...counts].filter((count) => count > limit).length;

/** Compares what was acknowledged with what is stored. Each of both is there once. */
export function compareOnce(
  what: string,
  acknowledged: ReadonlySet<string>,
  stored: readonly string[],
): Verdict {
  const counts = new Map<string, number>();
  for (const one of stored) counts.set(one, (counts.get(one) ?? 0) + 1);
  const lost = [...acknowledged].filter((one) => !counts.has(one)).length;
  return { what, acknowledged: acknowledged.size, lost, doubled: countOver(counts.values(), 1) };
}

const LONG_WORK_MS = 180_000;

/**
 * Reads a long work until it is done.
 * @throws Error if that takes more than 3 minutes
 */
export async function readUntil<T>(send: Send, path: string, isDone: (record: T) => boolean): Promise<T> {
  for (const end = Date.now() + LONG_WORK_MS; ; await sleep(500)) {
    const record = await send<T>("GET", path);
    if (isDone(record)) return record;
    if (Date.now() > end) throw new Error(`${path} was not done within ${LONG_WORK_MS / 1000} s.`);
  }
}
