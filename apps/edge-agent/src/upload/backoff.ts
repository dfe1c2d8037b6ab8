/** Pauses after failures: doubled each time up to a maximum, of random length so that agents do not come all at once. */
export type Backoff = {
  /** Returns the pause in milliseconds: at least half of its full length. */
  next(): number;
  reset(): void;
};

export function createBackoff(firstMs: number, maxMs: number, random: () => number = Math.random): Backoff {
  let failures = 0;
  return {
    next() {
      const full = Math.min(maxMs, firstMs * 2 ** failures);
      failures += 1;
      return Math.round(full * (0.5 + random() / 2));
    },
    reset() {
      failures = 0;
    },
  };
}
