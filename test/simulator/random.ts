/** Pseudo-random numbers. The same seed gives the same sequence. `chance` is true with the given probability. */
export type Random = { next(): number; below(n: number): number; chance(share: number): boolean };

/** The mulberry32 generator. Its 32 bits of state are enough for a simulation. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return { next, below: (n) => Math.floor(next() * n), chance: (share) => next() < share };
}

/** An EPC with the form of a GIAI-96 (24 hex digits) for tag `index` of a fleet. */
export function epcOf(seed: number, index: number): string {
  return `3474${(seed % 0xffffffff).toString(16).padStart(8, "0")}${index.toString(16).padStart(12, "0")}`.toUpperCase();
}
