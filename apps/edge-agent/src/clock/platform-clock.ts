import { type SystemTime, systemTime } from "./system-time.ts";

/** The time of the platform, as far as its answers have shown it. Signatures and receipts are dated by it. */
export type PlatformClock = {
  /** Milliseconds of the epoch. The time of this machine until the first answer. */
  now(): number;
  /** The same at an earlier monotonic time of this boot. */
  at(monotonic: number): number;
  monotonic(): number;
  /** Learns from the `Date` of an answer, and from the monotonic times of request and answer. */
  learn(date: string | undefined, sent: number, received: number): void;
  /** How far this machine's clock is behind the platform's. Undefined until the first answer. */
  offsetMs(): number | undefined;
};

/** The difference of the epoch and the monotonic time lies between these. */
type Range = { from: number; to: number };

/** `Date` has no fraction of a second. */
const DATE_STEP_MS = 1000;

/**
 * Each answer gives a range in which the platform's time lies. The ranges of all answers together are narrower than a
 * second. If they contradict each other, one of the clocks was changed, and only the newest counts.
 */
export function createPlatformClock(time: SystemTime = systemTime): PlatformClock {
  let known: Range | undefined;
  const ownBase = (): number => time.wall() - time.monotonic();
  const base = (): number => {
    const own = ownBase();
    // A machine whose clock is set well knows its time better than from `Date`.
    if (known === undefined || (own >= known.from && own <= known.to)) return own;
    return Math.round((known.from + known.to) / 2);
  };
  return {
    now: () => base() + time.monotonic(),
    at: (monotonic) => base() + monotonic,
    monotonic: time.monotonic,
    learn(date, sent, received) {
      const at = Date.parse(date ?? "");
      if (Number.isNaN(at)) return;
      const seen = { from: at - received, to: at + DATE_STEP_MS - sent };
      const both = known && { from: Math.max(known.from, seen.from), to: Math.min(known.to, seen.to) };
      known = both !== undefined && both.from <= both.to ? both : seen;
    },
    offsetMs: () => (known === undefined ? undefined : base() - ownBase()),
  };
}
