import { compareReadings, merge, type Reading } from "./reading.ts";

/**
 * Of one tag. A zone change needs 2 reads in 10 s, so that these tell all there
 * is to tell; a reader may send 40,000 in the window, and all of them are one
 * document, which is written with each batch.
 */
export const MAX_WAITING = 200;

/**
 * Reads that wait, in order, with another one in its place. Beyond
 * MAX_WAITING it is merged into the nearest of its reader, if one waits.
 */
export function enqueue(waiting: readonly Reading[], reading: Reading): Reading[] {
  // From the end, since most reads come in order.
  const at = waiting.findLastIndex((other) => compareReadings(other, reading) < 0) + 1;
  const nearest = waiting.length < MAX_WAITING ? undefined : nearestOf(waiting, at, reading);
  if (nearest === undefined) return waiting.toSpliced(at, 0, reading);
  return waiting.map((other) => (other === nearest ? merge(nearest, reading) : other));
}

/** The read of the same reader that is nearest in time, where the reading belongs at `at`. */
function nearestOf(waiting: readonly Reading[], at: number, reading: Reading): Reading | undefined {
  const same = ({ readerId }: Reading) => readerId === reading.readerId;
  const before = waiting.slice(0, at).findLast(same);
  const after = waiting.slice(at).find(same);
  if (before === undefined || after === undefined) return before ?? after;
  return after.at - reading.at < reading.at - before.at ? after : before;
}
