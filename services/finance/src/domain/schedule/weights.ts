/** A month as a number of months from year 0 (`monthIndex`). The engine computes with it. */
export type Month = number;

/**
 * How the months of a life share what is charged. Weights are whole numbers, so that nothing is rounded before amounts
 * are. Months outside of first to last have weight 0.
 */
export type Weights = {
  first: Month;
  last: Month;
  /** The weight of a whole month. Absent: weights are days. */
  unit?: number | undefined;
  weight(month: Month): number;
  /** The weight of a month and all after it. */
  sumFrom(month: Month): number;
};

/** A month is worth `unit`, the first and the last one may be worth less. */
export function evenWeights(of: {
  first: Month;
  last: Month;
  unit: number;
  firstWeight?: number | undefined;
  lastWeight?: number | undefined;
}): Weights {
  const { first, last, unit, firstWeight = unit, lastWeight = unit } = of;
  const weight = (month: Month) => {
    if (month < first || month > last) return 0;
    return month === last ? lastWeight : month === first ? firstWeight : unit;
  };
  const sumFrom = (month: Month) => {
    if (month > last) return 0;
    const whole = (last - Math.max(month, first)) * unit + lastWeight;
    return month <= first && first !== last ? whole - unit + firstWeight : whole;
  };
  return { first, last, unit, weight, sumFrom };
}

/** The months of the first year share `firstTotal` evenly; `rest` follows at `unit` a month. */
export function firstYearWeights(of: {
  first: Month;
  /** Months in the first year. */
  months: number;
  /** The weight of each of them. */
  each: number;
  unit: number;
  rest: number;
}): Weights {
  const { first, months, each, unit, rest } = of;
  const second = first + months;
  const last = second + Math.ceil(rest / unit) - 1;
  const sumFrom = (month: Month) => {
    if (month >= second) return Math.max(0, rest - (month - second) * unit);
    return Math.min(months, second - month) * each + rest;
  };
  const weight = (month: Month) => (month < first ? 0 : sumFrom(month) - sumFrom(month + 1));
  return { first, last, unit, weight, sumFrom };
}

/** Each day from `start` until before `end` is worth 1. `dayOf` is the number of the first day of a month. */
export function dayWeights(of: {
  first: Month;
  last: Month;
  start: number;
  end: number;
  dayOf: (month: Month) => number;
}): Weights {
  const { first, last, start, end, dayOf } = of;
  const sumFrom = (month: Month) => {
    if (month > last) return 0;
    return month <= first ? end - start : end - dayOf(month);
  };
  const weight = (month: Month) => (month < first ? 0 : sumFrom(month) - sumFrom(month + 1));
  return { first, last, weight, sumFrom };
}

/** The same weights, but that of one month and nothing before it: what is left from an opening on. */
export function weightsFrom(weights: Weights, first: Month, firstWeight: number): Weights {
  return {
    ...weights,
    first,
    weight: (month) => (month < first ? 0 : month === first ? firstWeight : weights.weight(month)),
    sumFrom: (month) => (month <= first ? firstWeight + weights.sumFrom(first + 1) : weights.sumFrom(month)),
  };
}
