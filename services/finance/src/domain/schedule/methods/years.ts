import { scaleMoney } from "@asset-register/runtime";
import { shareOf } from "../../profiles/share.ts";
import { segmentAt } from "../carry.ts";
import type { YearPart } from "../derivation.ts";
import { monthIndex } from "../period.ts";
import type { Charge, ChargeContext } from "./context.ts";

/** One year of a schedule whose years have fixed fractions of the base. */
export type PlannedYear = {
  /** The position in the weights of the whole life at which the year ends. */
  end: number;
  /** Its fraction of the base is this of the sum. */
  weight: number;
};

type YearOfSegment = PlannedYear & { number: number; amount: number };

/**
 * A charge of a method that gives each year a fraction of the base: sum of years' digits and MACRS. The amounts of the
 * years are computed from the NBV at the start of the segment, so years equal those of a spreadsheet. Each year's is
 * shared by the weights of its months. A year that has begun when the segment does keeps the part of its weight that is
 * left.
 */
export function chargeByYears(
  context: ChargeContext,
  rule: "sum_of_years_digits" | "macrs",
  planned: readonly PlannedYear[],
): Charge {
  const { timeline, inputs, carry, month, whole, left, weight } = context;
  const segment = segmentAt(timeline, carry, month) ?? { start: "", openingNbv: 0, charged: 0 };
  const total = whole.sumFrom(whole.first);
  const salvage = rule === "macrs" ? 0 : inputs.salvage;
  const base = Math.max(0, segment.openingNbv - salvage);
  const begin = total - left.sumFrom(monthIndex(segment.start));
  const { years, sum } = yearsOfSegment(planned, begin, base);
  const parts: YearPart[] = [];
  let [position, charged] = [total - left.sumFrom(month), segment.charged];
  const end = position + weight;
  let amount = 0;
  let before = 0;
  for (const year of years) {
    if (year.end > position && position < end) {
      const share = {
        weight: Math.min(end, year.end) - position,
        left: year.end - position,
        unit: left.unit,
      };
      const chargedOfYear = charged - before;
      const part = shareOf(year.amount - chargedOfYear, share.weight, share.left);
      parts.push({
        ...{ year: year.number, weight: year.weight, total: sum },
        ...{ yearAmount: year.amount, charged: chargedOfYear, share },
      });
      amount += part;
      charged += part;
      position += share.weight;
    }
    before += year.amount;
  }
  return { amount, inputs: { rule, base, parts } };
}

/** The years from a position on with their amounts. The last one takes the rest, so they sum to the base. */
function yearsOfSegment(planned: readonly PlannedYear[], begin: number, base: number) {
  const left = planned
    .map((year, index) => ({ ...year, number: index + 1, from: planned[index - 1]?.end ?? 0 }))
    .filter(({ end }) => end > begin);
  // Only the first year can be a part of one: all weights times its length keep the fractions whole.
  const first = left[0];
  const length = first === undefined || first.from >= begin ? 1 : first.end - first.from;
  const weighed = left.map((year) => {
    const part = year.from >= begin ? length : year.end - begin;
    return { ...year, weight: year.weight * part };
  });
  const divisor = length === 1 ? 1 : commonDivisor(weighed.map(({ weight }) => weight));
  const scaled = weighed.map((year) => ({ ...year, weight: year.weight / divisor }));
  const sum = scaled.reduce((total, { weight }) => total + weight, 0);
  let rest = base;
  const years: YearOfSegment[] = scaled.map((year, index) => {
    const isLast = index === scaled.length - 1;
    const amount = isLast ? rest : Math.min(rest, scaleMoney(base, year.weight, sum));
    rest -= amount;
    return { ...year, amount };
  });
  return { years, sum };
}

function commonDivisor(values: readonly number[]): number {
  return (
    values.reduce((a, b) => {
      let [x, y] = [a, b];
      while (y !== 0) [x, y] = [y, x % y];
      return x;
    }, 0) || 1
  );
}
