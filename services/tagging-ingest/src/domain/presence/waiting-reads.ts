import { compareReadings, merge, type Reading } from "../ingest/reading.ts";

/**
 * The number of waiting reads of one tag. A change of zone needs 2 reads within 10 s, so 200 are enough. A reader may
 * send 40,000 in the window, and all of them are in one document, which each batch writes.
 */
export const MAX_WAITING = 200;

/**
 * The waiting reads with another one, in order. When MAX_WAITING reads wait, it is merged into the nearest read of
 * its reader, if there is one.
 */
export function enqueue(waiting: readonly Reading[], reading: Reading): Reading[] {
  // From the end, because most reads come in order.
  const at = waiting.findLastIndex((other) => compareReadings(other, reading) < 0) + 1;
  const nearest = waiting.length < MAX_WAITING ? undefined : nearestOf(waiting, at, reading);
  if (nearest === undefined) return waiting.toSpliced(at, 0, reading);
  return waiting.map((other) => (other === nearest ? merge(nearest, reading) : other));
}

/** The read of the same reader that is nearest in time. The reading itself belongs at `at`. */
function nearestOf(waiting: readonly Reading[], at: number, reading: Reading): Reading | undefined {
  const same = ({ readerId }: Reading) => readerId === reading.readerId;
  const before = waiting.slice(0, at).findLast(same);
  const after = waiting.slice(at).find(same);
  if (before === undefined || after === undefined) return before ?? after;
  return after.at - reading.at < reading.at - before.at ? after : before;
}
