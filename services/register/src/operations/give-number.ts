import { formatNumber, numberKey } from "../domain/asset-number.ts";
import type { Stores } from "../store/stores.ts";

/** Numbers looked at in one query when somebody has given them by hand. */
const BLOCK = 1000;

/** The next number of the workspace's counter; it may have been given by hand, which the unique index tells. */
export async function giveNumber(
  { counters }: Pick<Stores, "counters">,
  workspaceId: string,
  prefix: string,
): Promise<string> {
  return formatNumber(prefix, await counters.next(workspaceId));
}

/** Moves the counter past a run of numbers that were given by hand, to just before the next free one. */
export async function skipTakenNumbers(
  { assets, counters }: Pick<Stores, "assets" | "counters">,
  workspaceId: string,
  prefix: string,
): Promise<void> {
  for (let last = await counters.next(workspaceId); ; last += BLOCK) {
    const block = Array.from({ length: BLOCK }, (_, index) => last + index);
    const taken = await assets.takenNumbers(
      workspaceId,
      block.map((value) => formatNumber(prefix, value)),
    );
    const free = block.find((value) => !taken.has(numberKey(formatNumber(prefix, value))));
    if (free === undefined) continue;
    await counters.skipTo(workspaceId, free - 1);
    return;
  }
}
