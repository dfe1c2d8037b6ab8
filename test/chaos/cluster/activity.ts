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
