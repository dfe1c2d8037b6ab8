/** How fast the backlog is sent, in events a second. */
export type BacklogRate = {
  perSecond(): number;
  /** Says whether a batch of the backlog may leave now. */
  isDue(now: number): boolean;
  sent(events: number, now: number): void;
  /** The platform took a batch. */
  taken(): void;
  /** The platform asked for less. */
  limited(now: number): void;
};

const FIRST = 5_000;
const LEAST = 100;
const MOST = 100_000;
/** Several requests are under way when the platform asks for less. They are one sign, not several. */
const ONE_SIGN_MS = 1_000;

/**
 * Finds what the platform's quota leaves for the backlog: a little more after each success, half after each 429. Without it
 * the backlog would use the quota up, and live reads would wait as well.
 */
export function createBacklogRate(): BacklogRate {
  let rate = FIRST;
  let dueAt = 0;
  let limitedAt = Number.NEGATIVE_INFINITY;
  return {
    perSecond: () => rate,
    isDue: (now) => now >= dueAt,
    sent(events, now) {
      dueAt = Math.max(dueAt, now - ONE_SIGN_MS) + (events / rate) * 1000;
    },
    taken() {
      rate = Math.min(MOST, rate * 1.05 + 10);
    },
    limited(now) {
      if (now - limitedAt < ONE_SIGN_MS) return;
      limitedAt = now;
      rate = Math.max(LEAST, rate / 2);
    },
  };
}
