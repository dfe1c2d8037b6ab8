import { formatNumber, numberKey } from "../domain/asset-number.ts";
import type { Stores } from "../store/stores.ts";

/** Numbers looked at in one query when somebody has given them by hand. */
const BLOCK = 1000;

/** What the counter of a workspace's asset numbers said, and the number that this stands for. */
export type GivenNumber = { counter: number; number: string };

/** The next number of the workspace's counter; it may have been given by hand, which the unique index tells. */
export async function giveNumber(
  { counters }: Pick<Stores, "counters">,
  workspaceId: string,
  prefix: string,
): Promise<GivenNumber> {
  const counter = await counters.next(workspaceId);
  return { counter, number: formatNumber(prefix, counter) };
}

/** Moves the counter from a number that was given by hand to just before the next free one. */
export async function skipTakenNumbers(
  { assets, counters }: Pick<Stores, "assets" | "counters">,
  workspaceId: string,
  prefix: string,
  taken: number,
): Promise<void> {
  for (let first = taken + 1; ; first += BLOCK) {
    const block = Array.from({ length: BLOCK }, (_, index) => first + index);
    const numbers = block.map((counter) => formatNumber(prefix, counter));
    const known = await assets.takenNumbers(workspaceId, numbers);
    const free = block.find((counter) => !known.has(numberKey(formatNumber(prefix, counter))));
    if (free !== undefined) return counters.skipTo(workspaceId, free - 1);
  }
}
