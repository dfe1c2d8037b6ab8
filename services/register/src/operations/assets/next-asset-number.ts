import type { Context } from "../../context.ts";
import { formatNumber, numberKey } from "../../domain/assets/asset-number.ts";

/** Numbers that one query looks up when the counter meets a number that a caller has given. */
const BLOCK = 1000;

/**
 * Reserves the next numbers of the workspace's counter. A caller may have given one of them already: `isChecked` leaves
 * those out, and the unique index finds a later one.
 */
export async function reserveNumbers(
  context: Context,
  workspaceId: string,
  prefix: string,
  count: number,
  isChecked: boolean,
): Promise<string[]> {
  const { stores } = context;
  const numbers: string[] = [];
  while (numbers.length < count) {
    const missing = count - numbers.length;
    const last = await stores.counters.reserve(workspaceId, missing);
    const block = Array.from({ length: missing }, (_, index) =>
      formatNumber(prefix, last - missing + 1 + index),
    );
    const taken = isChecked ? await stores.assets.takenNumbers(workspaceId, block) : new Set<string>();
    numbers.push(...block.filter((number) => !taken.has(numberKey(number))));
    if (taken.size > 0) await skipTakenNumbers(context, workspaceId, prefix, last);
  }
  return numbers;
}

/** Moves the counter past taken numbers: its next value is the first free one after `taken`. */
async function skipTakenNumbers(
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
