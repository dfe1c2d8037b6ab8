/** Numbers in [0, 1) that are the same for the same seed (mulberry32). */
export type Random = {
  next(): number;
  /** A whole number in [0, end). */
  below(end: number): number;
  /** Whether an event of this probability happens. */
  chance(probability: number): boolean;
};

/** Creates the numbers of a seed. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    below: (end) => Math.floor(next() * end),
    chance: (probability) => next() < probability,
  };
}
