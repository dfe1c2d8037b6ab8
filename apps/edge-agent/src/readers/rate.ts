/** Counts how much happened in the last minute. */
export type Rate = { add(count: number): void; perSecond(): number };

const SECONDS = 60;

export function createRate(monotonic: () => number): Rate {
  const counts = new Map<number, number>();
  const second = (): number => Math.floor(monotonic() / 1000);
  const forget = (): void => {
    for (const at of counts.keys()) if (at <= second() - SECONDS) counts.delete(at);
  };
  return {
    add(count) {
      const at = second();
      if (!counts.has(at)) forget();
      counts.set(at, (counts.get(at) ?? 0) + count);
    },
    perSecond() {
      forget();
      return [...counts.values()].reduce((sum, count) => sum + count, 0) / SECONDS;
    },
  };
}
