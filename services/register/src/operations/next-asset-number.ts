import type { Context } from "../context.ts";
import { formatNumber, numberKey } from "../domain/asset-number.ts";

/** Numbers that one query looks up when the counter meets a number that a caller has given. */
const BLOCK = 1000;

/** A value of the workspace's counter and its number. */
export type NextNumber = { counter: number; number: string };

/** The next number of the workspace's counter. A caller may have given it already: the unique index shows that. */
export async function nextAssetNumber(
  { stores }: Context,
  workspaceId: string,
  prefix: string,
): Promise<NextNumber> {
  const counter = await stores.counters.next(workspaceId);
  return { counter, number: formatNumber(prefix, counter) };
}

/** Moves the counter past taken numbers: its next value is the first free one after `taken`. */
export async function skipTakenNumbers(
  { stores }: Context,
  workspaceId: string,
  prefix: string,
  taken: number,
): Promise<void> {
  for (let first = taken + 1; ; first += BLOCK) {
    const block = Array.from({ length: BLOCK }, (_, index) => first + index);
    const numbers = block.map((counter) => formatNumber(prefix, counter));
    const known = await stores.assets.takenNumbers(workspaceId, numbers);
    const free = block.find((counter) => !known.has(numberKey(formatNumber(prefix, counter))));
    if (free !== undefined) return stores.counters.skipTo(workspaceId, free - 1);
  }
}
