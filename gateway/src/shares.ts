/** A key and how much of a resource it may use at once. */
export type Share = { key: string; max: number };

export type Shares = {
  /** The first of these shares that is used up. */
  usedUp(shares: readonly Share[]): Share | undefined;
  /** Uses one of each share until the returned function is called. Undefined if one of them is used up. */
  take(shares: readonly Share[]): (() => void) | undefined;
};

/** Counts what is in use by key. Keys that use nothing take no memory. */
export function createShares(): Shares {
  const used = new Map<string, number>();
  const add = (key: string, change: number): void => {
    const now = (used.get(key) ?? 0) + change;
    if (now > 0) used.set(key, now);
    else used.delete(key);
  };
  const usedUp: Shares["usedUp"] = (shares) => shares.find(({ key, max }) => (used.get(key) ?? 0) >= max);
  return {
    usedUp,
    take(shares) {
      if (usedUp(shares) !== undefined) return undefined;
      for (const { key } of shares) add(key, 1);
      return () => {
        for (const { key } of shares) add(key, -1);
      };
    },
  };
}
