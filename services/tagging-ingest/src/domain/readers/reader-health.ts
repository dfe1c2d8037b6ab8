/** The events of a reader in one minute. `minute` counts from the epoch. */
export type MinuteCount = {
  minute: number;
  /** With repeats. */
  accepted: number;
  /** The repeats among the accepted ones. */
  duplicate: number;
  /** Rejected events and wrong signatures by their error code. */
  rejected: Readonly<Record<string, number>>;
};

/** The figures of a reader in the last 15 minutes. */
export type ReaderHealth = { rejectedByCode: Record<string, number>; eventsPerMinute: number };

/** Anyone can name a reader, so a wrong signature is counted by its code, and is no rejected event of the reader. */
export const WRONG_SIGNATURE = "READER_SIGNATURE_INVALID";

/** How many events with a right signature were rejected. */
export const rejectedEvents = (byCode: Readonly<Record<string, number>>): number =>
  Object.entries(byCode).reduce((sum, [code, count]) => (code === WRONG_SIGNATURE ? sum : sum + count), 0);

/** Health is about so many minutes. */
export const HEALTH_MINUTES = 15;

/** The minute of an instant. */
export const minuteOf = (at: Date): number => Math.floor(at.getTime() / 60_000);

/** Counts the minutes that belong to the last 15, the present one included. */
export function healthOf(minutes: readonly Omit<MinuteCount, "duplicate">[], now: Date): ReaderHealth {
  const present = minuteOf(now);
  const rejectedByCode: Record<string, number> = {};
  let accepted = 0;
  for (const count of minutes) {
    if (count.minute <= present - HEALTH_MINUTES || count.minute > present) continue;
    accepted += count.accepted;
    for (const [code, number] of Object.entries(count.rejected)) {
      rejectedByCode[code] = (rejectedByCode[code] ?? 0) + number;
    }
  }
  return { rejectedByCode, eventsPerMinute: Math.round((accepted / HEALTH_MINUTES) * 100) / 100 };
}

/** Adds counts to those of the same minute. */
export function addMinutes(counts: readonly MinuteCount[], more: readonly MinuteCount[]): MinuteCount[] {
  const sums = new Map<number, MinuteCount>();
  for (const { minute, accepted, duplicate, rejected } of [...counts, ...more]) {
    const sum = sums.get(minute) ?? { minute, accepted: 0, duplicate: 0, rejected: {} };
    const codes = { ...sum.rejected };
    for (const [code, number] of Object.entries(rejected)) codes[code] = (codes[code] ?? 0) + number;
    sums.set(minute, {
      ...{ minute, accepted: sum.accepted + accepted, duplicate: sum.duplicate + duplicate },
      rejected: codes,
    });
  }
  return [...sums.values()];
}
