import { addMonthsToDate, daysBetween } from "../period.ts";
import type { Charge, ChargeContext } from "./context.ts";
import { chargeByYears, type PlannedYear } from "./years.ts";

/**
 * Year k of n years of life has base x (n - k + 1) / (n (n + 1) / 2) (Microsoft's SYD). Years of life count from the
 * in-service month, so a month in the middle of which a year ends has parts of two.
 */
export function chargeSumOfYearsDigits(context: ChargeContext): Charge {
  const { inputs, whole } = context;
  const years = (inputs.lifeMonths ?? 12) / 12;
  const planned: PlannedYear[] = [];
  for (let year = 1; year <= years; year++) {
    const end =
      whole.unit === undefined
        ? daysBetween(inputs.inServiceDate, addMonthsToDate(inputs.inServiceDate, 12 * year))
        : 12 * whole.unit * year;
    planned.push({ end, weight: years - year + 1 });
  }
  return chargeByYears(context, "sum_of_years_digits", planned);
}
