import type { AssetResult } from "./judge-asset.ts";

/** The counts of a reconcile so far. The counts of its pages are added up. */
export type Tally = {
  /** Expected, but disposed of, deleted or moved out of scope since. */
  excluded: number;
  /** Distinct assets that were scanned, expected or not. */
  seen: number;
  expectedScanned: number;
  /** Expected and in place. */
  foundInPlace: number;
  unexpectedInPlace: number;
};

export const emptyTally: Tally = {
  excluded: 0,
  seen: 0,
  expectedScanned: 0,
  foundInPlace: 0,
  unexpectedInPlace: 0,
};

export function addTallies(a: Tally, b: Tally): Tally {
  return {
    excluded: a.excluded + b.excluded,
    seen: a.seen + b.seen,
    expectedScanned: a.expectedScanned + b.expectedScanned,
    foundInPlace: a.foundInPlace + b.foundInPlace,
    unexpectedInPlace: a.unexpectedInPlace + b.unexpectedInPlace,
  };
}

/** Counts the result for one asset. */
export function tallyOf(result: AssetResult, expected: boolean): Tally {
  const { excluded, scanned, finding } = result;
  return {
    excluded: Number(excluded),
    seen: Number(scanned),
    expectedScanned: Number(expected && scanned),
    foundInPlace: Number(expected && finding?.kind === "found"),
    unexpectedInPlace: Number(scanned && finding === undefined),
  };
}

/** The shares of the expected assets that were scanned, and that were found in place. Undefined if none is left to expect. */
export function figuresOf(
  expected: number,
  { excluded, expectedScanned, foundInPlace }: Tally,
): { coverage: number | undefined; accuracy: number | undefined } {
  const countable = expected - excluded;
  const share = (count: number) =>
    countable === 0 ? undefined : Math.round((count / countable) * 10_000) / 10_000;
  return { coverage: share(expectedScanned), accuracy: share(foundInPlace) };
}
