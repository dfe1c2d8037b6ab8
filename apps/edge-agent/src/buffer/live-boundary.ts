/** A read that waits longer than this belongs to the backlog. */
export const LIVE_MS = 10_000;
/** So exact is the boundary. */
const STEP_MS = 250;

export type LiveBoundary = {
  /** A read with this id was stored at this monotonic time. */
  note(id: number, monotonic: number): void;
  /** The last id that is older than LIVE_MS. */
  at(monotonic: number): number;
};

/**
 * Where the live reads begin. Ids grow with time, so one id divides them, and no row has to change when it gets old.
 * `last`: the last id from before this process; those are a backlog.
 */
export function createLiveBoundary(last: number): LiveBoundary {
  let boundary = last;
  const marks: { id: number; monotonic: number }[] = [];
  return {
    note(id, monotonic) {
      const newest = marks.at(-1);
      if (newest !== undefined && monotonic - newest.monotonic < STEP_MS) newest.id = id;
      else marks.push({ id, monotonic });
    },
    at(monotonic) {
      while (marks[0] !== undefined && monotonic - marks[0].monotonic > LIVE_MS) {
        boundary = marks.shift()?.id ?? boundary;
      }
      return boundary;
    },
  };
}
