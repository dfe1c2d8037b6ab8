/** The least delay (received - ts) of the reads of one minute, and their number. `minute` counts from the epoch. */
export type DelayMinute = { minute: number; reads: number; leastMs: number };

/** How far a clock is slow (0: as far as is known, it is not), and the minutes by which it is judged, in order. */
export type SlowClock = { slowMs: number; minutes: readonly DelayMinute[] };

/** Of this many reads, one came without waiting: the least delay is that of the network, plus the skew. */
const ENOUGH_READS = 20;
/** This many minutes in a row have to agree: a queue that grows and shrinks is no skew. */
const MINUTES = 3;
/** Smaller delays are no skew, and minutes agree when they differ by no more. */
const TOLERANCE_MS = 2_000;

/** Adds delays to those of the same minute. */
export function addDelays(known: readonly DelayMinute[], more: readonly DelayMinute[]): DelayMinute[] {
  const sums = new Map<number, DelayMinute>();
  for (const { minute, reads, leastMs } of [...known, ...more]) {
    const sum = sums.get(minute);
    sums.set(minute, {
      minute,
      reads: (sum?.reads ?? 0) + reads,
      leastMs: Math.min(sum?.leastMs ?? leastMs, leastMs),
    });
  }
  return [...sums.values()].toSorted((a, b) => a.minute - b.minute);
}

/**
 * The estimate of a clock's delay after more delays. The clock is slow by the least delay of three minutes that agree,
 * until a minute contradicts it. `present` is the current minute, which is not over.
 */
export function learnDelays(
  known: SlowClock | undefined,
  delays: readonly DelayMinute[],
  present: number,
): SlowClock {
  const all = addDelays(known?.minutes ?? [], delays);
  const isJudged = ({ minute, reads }: DelayMinute) => minute < present && reads >= ENOUGH_READS;
  const contradiction = all.findLast((one) => contradicts(one, isJudged(one), known?.slowMs ?? 0));
  const valid = contradiction ? all.filter(({ minute }) => minute >= contradiction.minute) : all;
  const judged = valid.filter(isJudged).slice(-MINUTES);
  const minutes = valid.filter((one) => judged.includes(one) || one.minute >= present - 1);
  const slowMs = contradiction ? 0 : (known?.slowMs ?? 0);
  return { slowMs: agreedDelay(judged) ?? slowMs, minutes };
}

/** A smaller delay contradicts at once, however few reads there were. A larger one may be a queue of few reads. */
function contradicts({ leastMs }: DelayMinute, isJudged: boolean, slowMs: number): boolean {
  if (slowMs === 0) return false;
  return leastMs < slowMs - TOLERANCE_MS || (isJudged && leastMs > slowMs + TOLERANCE_MS);
}

function agreedDelay(judged: readonly DelayMinute[]): number | undefined {
  const delays = judged.map(({ leastMs }) => leastMs);
  const [least, most] = [Math.min(...delays), Math.max(...delays)];
  return delays.length === MINUTES && least > TOLERANCE_MS && most - least <= TOLERANCE_MS
    ? least
    : undefined;
}
