/** Readings have at most 3 decimal digits. Sums are made in thousandths, so that 0.1 + 0.2 is 0.3. */
const SCALE = 1_000;

/** A reading of an asset's meter. */
export type MeterPoint = {
  value: number;
  readAt: Date;
  /**
   * Of a reading that starts a new count: how much higher the reading before it was. 0 if there is none.
   * Absent for other readings.
   */
  dropped?: number | undefined;
};

/**
 * How much the count fell at a reading that starts a new count. It may be negative: a new meter may begin higher.
 */
export function dropAt(value: number, before: Pick<MeterPoint, "value"> | undefined): number {
  return before === undefined ? 0 : subtract(before.value, value);
}

/** The units used from one reading to a later one, with the drops of all resets after the first and up to the second. */
export function unitsBetween(from: number, to: number, drops: readonly number[]): number {
  return fromThousandths(thousandths(to) - thousandths(from) + sum(drops));
}

/**
 * The reading of the present count at which `interval` units are used since the reading `from`. Each reset in between
 * lowers it by its drop: completed at 5,000, interval 500, reset at 5,200 to 0: 300. Not below 0, if it is passed already.
 */
export function meterLimit(from: number, interval: number, drops: readonly number[]): number {
  return Math.max(0, fromThousandths(thousandths(from) + thousandths(interval) - sum(drops)));
}

/**
 * The first reading at which `interval` units are used since the first of `readings`, which are in order of time.
 */
export function readingAtLimit<P extends MeterPoint>(
  readings: readonly P[],
  interval: number,
): P | undefined {
  const from = readings[0];
  if (from === undefined) return undefined;
  let drops = 0;
  return readings.find((reading, index) => {
    if (index > 0) drops += thousandths(reading.dropped ?? 0);
    return thousandths(reading.value) - thousandths(from.value) + drops >= thousandths(interval);
  });
}

/** Whether a reading that starts no new count fits between its neighbours in time. */
export function fitsBetween(
  value: number,
  before: Pick<MeterPoint, "value"> | undefined,
  after: Pick<MeterPoint, "value" | "dropped"> | undefined,
): boolean {
  if (before !== undefined && value < before.value) return false;
  return after === undefined || after.dropped !== undefined || value <= after.value;
}

function subtract(a: number, b: number): number {
  return fromThousandths(thousandths(a) - thousandths(b));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + thousandths(value), 0);
}

const thousandths = (value: number): number => Math.round(value * SCALE);
const fromThousandths = (value: number): number => value / SCALE;

/** How far the meter of an asset is from the limit of a schedule. */
export type MeterState = {
  /** The reading from which the units count. */
  base: MeterPoint;
  nextDueMeter: number;
  /** When the limit was reached. */
  reachedAt?: Date | undefined;
};

/**
 * The state of a meter. Units count from the last reading at or before `from`, else from the first one after it; without
 * `from` from the first reading. `readings` are all of the asset in order of time, or those from the base on.
 * Undefined without readings.
 */
export function meterState(
  readings: readonly MeterPoint[],
  interval: number,
  from: Date | undefined,
): MeterState | undefined {
  const last = from === undefined ? 0 : readings.findLastIndex(({ readAt }) => readAt <= from);
  const counted = readings.slice(Math.max(0, last));
  const base = counted[0];
  if (base === undefined) return undefined;
  const drops = counted.slice(1).map(({ dropped = 0 }) => dropped);
  return {
    base,
    nextDueMeter: meterLimit(base.value, interval, drops),
    reachedAt: readingAtLimit(counted, interval)?.readAt,
  };
}
