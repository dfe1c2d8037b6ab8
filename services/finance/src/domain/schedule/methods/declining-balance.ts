import { scaleMoney } from "@asset-register/runtime";
import type { ProfileInputs } from "../../profiles/profile.ts";
import { asRatio, shareOf } from "../../profiles/share.ts";
import { segmentAt } from "../carry.ts";
import { daysBetween, firstDay, monthIndex, periodAt } from "../period.ts";
import { yearStart } from "../timeline.ts";
import type { Charge, ChargeContext } from "./context.ts";

/**
 * The year's amount is its opening NBV x rate, or x factor / life in years, spread over its months (Microsoft's DDB,
 * Business Central's Declining-Balance 1). A first or last part year has it in proportion. It never goes below the
 * salvage. With switchToSl it is straight line over the remaining life from the first year in which that is not less
 * (Business Central's DB1/SL). Without it the last year takes what is left.
 */
export function chargeDecliningBalance(context: ChargeContext): Charge {
  const { timeline, inputs, carry, month, left, weight } = context;
  const segment = segmentAt(timeline, carry, month) ?? { start: "", openingNbv: 0, charged: 0 };
  const start = monthIndex(segment.start);
  const nextYear = yearStart(timeline, month) + 12;
  const afterYear = left.sumFrom(nextYear);
  const year = {
    weight: left.sumFrom(start) - afterYear,
    left: yearWeight(left.unit, nextYear),
    unit: left.unit,
  };
  const { amount: yearAmount, capped } = amountOfYear(inputs, segment.openingNbv, year, left.sumFrom(start));
  const share = { weight, left: left.sumFrom(month) - afterYear, unit: left.unit };
  const { openingNbv, charged } = segment;
  return {
    amount: shareOf(yearAmount - charged, share.weight, share.left),
    inputs: {
      ...{ rule: "declining_balance", rate: rateText(inputs), openingNbv, salvage: inputs.salvage },
      ...{ year, yearAmount, charged, share, capped },
    },
  };
}

type YearAmount = { amount: number; capped?: "switched" | "last_year" | "salvage" | undefined };

function amountOfYear(
  inputs: ProfileInputs,
  openingNbv: number,
  year: { weight: number; left: number },
  lifeLeft: number,
): YearAmount {
  const base = Math.max(0, openingNbv - inputs.salvage);
  if (lifeLeft <= year.weight) return { amount: base, capped: "last_year" };
  const [numerator, denominator] = yearlyRate(inputs);
  // straight line >= declining: base / lifeLeft >= openingNbv x rate / full year, of equal parts of the year.
  const straight = BigInt(base) * denominator * BigInt(year.left);
  const declining = BigInt(openingNbv) * numerator * BigInt(lifeLeft);
  if (inputs.switchToSl === true && straight >= declining) {
    return { amount: shareOf(base, year.weight, lifeLeft), capped: "switched" };
  }
  const amount = scaleMoney(openingNbv, numerator * BigInt(year.weight), denominator * BigInt(year.left));
  return amount > base ? { amount: base, capped: "salvage" } : { amount };
}

/** The weight of the full fiscal year that ends before a month. */
function yearWeight(unit: number | undefined, nextYear: number): number {
  if (unit !== undefined) return 12 * unit;
  return daysBetween(firstDay(periodAt(nextYear - 12)), firstDay(periodAt(nextYear)));
}

/** The part of the NBV that a full year takes: rate / 100, or factor x 12 / life in months. */
function yearlyRate({ rate, factor = 2, lifeMonths = 12 }: ProfileInputs): [bigint, bigint] {
  const [numerator, denominator] = asRatio(rate ?? factor);
  return rate === undefined
    ? [numerator * 12n, denominator * BigInt(lifeMonths)]
    : [numerator, denominator * 100n];
}

/** Percent a year with at most four decimals, for texts. */
function rateText(inputs: ProfileInputs): string {
  const [numerator, denominator] = yearlyRate(inputs);
  const tenThousandths = (2_000_000n * numerator + denominator) / (2n * denominator);
  return String(Number(tenThousandths) / 10_000);
}
