import fc from "fast-check";
import { completeInputs } from "../src/domain/profiles/complete-inputs.ts";
import type { ProfileInputs } from "../src/domain/profiles/profile.ts";
import { macrsClasses } from "../src/domain/profiles/profile.ts";
import { addMonths } from "../src/domain/schedule/period.ts";

const conventions = ["full_month", "next_month", "mid_month", "daily", "half_year", "mid_quarter"] as const;

export const fiscalYearStarts = fc.integer({ min: 1, max: 12 });

/** A day of one of the years around 2027, with month ends and leap days. */
export const days = fc
  .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 31 }))
  .map(([months, day]) => {
    const month = addMonths("2024-01", months);
    const last = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate();
    return `${month}-${String(Math.min(day, last)).padStart(2, "0")}`;
  });

const amount = fc.oneof(fc.integer({ min: 0, max: 2000 }), fc.integer({ min: 0, max: 100_000_000 }));

const methods = fc.oneof(
  fc.constant({ method: "straight_line" } as const),
  fc.record({
    method: fc.constant("declining_balance" as const),
    switchToSl: fc.boolean(),
    factor: fc.constantFrom(2, 1.5, 1.25),
  }),
  fc.record({
    method: fc.constant("declining_balance" as const),
    rate: fc.integer({ min: 1, max: 10_000 }).map((hundredths) => hundredths / 100),
  }),
  fc.constant({ method: "sum_of_years_digits" } as const),
  fc.record({ method: fc.constant("macrs" as const), macrsClass: fc.constantFrom(...macrsClasses) }),
);

/** Valid inputs of all methods that months alone decide. */
export const profileInputs: fc.Arbitrary<ProfileInputs> = fc
  .record({
    method: methods,
    convention: fc.constantFrom(...conventions),
    cost: amount,
    salvageShare: fc.integer({ min: 0, max: 10 }),
    openingShare: fc.option(fc.integer({ min: 1, max: 10 }), { nil: undefined, freq: 3 }),
    openingAfter: fc.integer({ min: 0, max: 40 }),
    openingDay: fc.constantFrom("01", "16", "28"),
    years: fc.integer({ min: 1, max: 6 }),
    months: fc.integer({ min: 1, max: 72 }),
    inServiceDate: days,
  })
  .map(({ method, cost, salvageShare, openingShare, openingAfter, openingDay, years, months, ...rest }) => {
    const salvage = method.method === "macrs" ? 0 : Math.floor((cost * salvageShare) / 20);
    const openingAccumulated =
      openingShare === undefined ? 0 : Math.floor(((cost - salvage) * openingShare) / 20);
    const openingMonth = addMonths(rest.inServiceDate.slice(0, 7), openingAfter);
    const openingOn = [rest.inServiceDate, `${openingMonth}-${openingDay}`].sort().at(-1);
    const lifeMonths = method.method === "sum_of_years_digits" ? years * 12 : months;
    const convention = method.method === "macrs" ? undefined : rest.convention;
    const opening = openingAccumulated > 0 ? { openingAccumulated, openingOn } : {};
    const given = { ...method, ...rest, convention, cost, salvage, lifeMonths, ...opening };
    const { inputs, violations } = completeInputs(given, "2027-01");
    if (inputs === undefined) throw new RangeError(`not valid: ${JSON.stringify(violations)}`);
    return inputs;
  });

/** A change with effect from some month on. */
export const edits = fc.oneof(
  fc.record({ cost: amount }),
  fc.record({ lifeMonths: fc.integer({ min: 1, max: 8 }).map((years) => years * 12) }),
  fc.record({ salvage: fc.integer({ min: 0, max: 1000 }) }),
  fc.record({ method: fc.constantFrom("straight_line" as const, "declining_balance" as const) }),
  fc.record({ inServiceDate: days }),
);
