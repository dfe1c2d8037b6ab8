import { periodAt } from "../period.ts";
import { yearStart } from "../timeline.ts";
import type { Charge, ChargeContext } from "./context.ts";
import { macrsTable } from "./macrs-tables.ts";
import { chargeByYears, type PlannedYear } from "./years.ts";

/**
 * Each fiscal year has its percentage of the cost (IRS Publication 946, tables and A-7a), whatever the
 * salvage. After an opening or a change it is that of what is left, over the percentages that are left: the same for an
 * opening that follows the table, and the table of the reduced basis after section 179 or bonus depreciation.
 */
export function chargeMacrs(context: ChargeContext): Charge {
  const { timeline, inputs, whole } = context;
  const { macrsClass = "5y", convention } = inputs;
  const table = macrsTable(macrsClass, convention, periodAt(whole.first), timeline.fiscalYearStart);
  const total = whole.sumFrom(whole.first);
  const firstYear = yearStart(timeline, whole.first);
  const planned = table.percentages.map((weight, index): PlannedYear => {
    const next = firstYear + 12 * (index + 1);
    return { end: total - whole.sumFrom(next), weight };
  });
  return chargeByYears(context, "macrs", planned);
}
