import fc from "fast-check";
import { expect, test } from "vitest";
import { fiscalYearStarts, profileInputs } from "../../../test/arbitrary-profiles.ts";
import { changeOf, postRun, profileWith, sum } from "../../../test/schedules.ts";
import { type Carry, emptyCarry, type LedgerRow } from "../ledger/ledger.ts";
import type { Profile, ProfileChange, ProfileInputs } from "../profiles/profile.ts";
import { carryOf } from "./carry.ts";
import type { Line } from "./line.ts";
import { computeLines, forecast } from "./lines.ts";
import { addMonths, nextPeriod, type Period } from "./period.ts";

/** Changes that leave a profile valid: they raise the cost, impair, or hold for sale and end that. */
const changes = fc
  .array(
    fc.record({
      months: fc.integer({ min: 1, max: 50 }),
      what: fc.constantFrom("cost", "impairment", "held", "none"),
      amount: fc.integer({ min: 1, max: 50_000 }),
    }),
    { maxLength: 3 },
  )
  .map((all) => all.sort((a, b) => a.months - b.months));

type Plan = {
  inputs: ProfileInputs;
  fiscalYearStart: number;
  all: { months: number; what: string; amount: number }[];
};

const plans: fc.Arbitrary<Plan> = fc.record({
  inputs: profileInputs,
  fiscalYearStart: fiscalYearStarts,
  all: changes,
});

function planned({ inputs, fiscalYearStart, all }: Plan): Profile {
  const start = inputs.inServiceDate.slice(0, 7);
  let cost = inputs.cost;
  const made = all.flatMap(({ months, what, amount }, index): ProfileChange[] => {
    const effectiveOn = `${addMonths(start, months)}-01`;
    const id = `chg_${index + 1}`;
    if (what === "cost") {
      cost += amount;
      return [{ ...changeOf(effectiveOn, { cost }), id }];
    }
    if (what === "impairment" && inputs.method !== "macrs") {
      return [{ ...changeOf(effectiveOn, {}, { amount, on: `${effectiveOn.slice(0, 8)}20` }), id }];
    }
    if (what !== "held") return [];
    const ends = `${addMonths(start, months + 5)}-01`;
    return [
      { ...changeOf(effectiveOn, { heldForSaleOn: `${effectiveOn.slice(0, 8)}11` }), id },
      { ...changeOf(ends, {}, undefined, ["heldForSaleOn"]), id: `${id}e` },
    ];
  });
  return profileWith(inputs, { fiscalYearStart, changes: made });
}

const runs = { numRuns: 150 };
const END: Period = "2085-12";

/** Posts a run for each of the given months, in order. */
function postAll(
  profile: Profile,
  months: readonly Period[],
): { rows: LedgerRow[]; carry: ReturnType<typeof carryOf> } {
  return months.reduce(
    (done, month) => {
      const { rows, carry } = postRun(profile, done.carry, month);
      return { rows: [...done.rows, ...rows], carry };
    },
    { rows: [] as LedgerRow[], carry: emptyCarry },
  );
}

const figures = (rows: readonly (LedgerRow | Line)[]) =>
  rows.map(({ kind, period, amount }) => [kind, period, amount]);

test("without changes the charges sum to the base exactly, and none is negative", () => {
  fc.assert(
    fc.property(profileInputs, fiscalYearStarts, (inputs, fiscalYearStart) => {
      const lines = forecast(profileWith(inputs, { fiscalYearStart }), emptyCarry);
      const salvage = inputs.method === "macrs" ? 0 : inputs.salvage;
      expect(sum(lines.map(({ amount }) => amount))).toBe(inputs.cost - salvage - inputs.openingAccumulated);
      expect(lines.every(({ amount }) => amount >= 0)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test("with changes, too: opening less amount is closing, and what is left in the end is the salvage at most", () => {
  fc.assert(
    fc.property(plans, (plan) => {
      const profile = planned(plan);
      const lines = forecast(profile, emptyCarry);
      for (const [index, line] of lines.entries()) {
        expect(line.amount).toBeGreaterThanOrEqual(0);
        expect(line.openingNbv - line.amount).toBe(line.closingNbv);
        expect(line.closingNbv).toBeGreaterThanOrEqual(0);
        expect(line.period >= (lines[index - 1]?.period ?? line.period)).toBe(true);
      }
      const months = lines.filter(({ kind }) => kind === "charge").map(({ period }) => period);
      expect(new Set(months).size).toBe(months.length);
      const last = lines.at(-1);
      if (last === undefined) return;
      const salvage = profile.method === "macrs" ? 0 : profile.salvage;
      expect(last.closingNbv).toBeLessThanOrEqual(salvage);
    }),
    runs,
  );
});

test("a catch-up run gives the missed runs to the minor unit, wherever runs were made", () => {
  fc.assert(
    fc.property(plans, fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 8 }), (plan, steps) => {
      const profile = planned(plan);
      const start = plan.inputs.inServiceDate.slice(0, 7);
      const months = steps.map((_, index) => addMonths(start, sum(steps.slice(0, index + 1))));
      const inSteps = postAll(profile, [...months, END]);
      const atOnce = postAll(profile, [END]);
      expect(figures(inSteps.rows)).toEqual(figures(atOnce.rows));
      expect(figures(forecast(profile, emptyCarry))).toEqual(figures(atOnce.rows));
      expect(inSteps.carry).toEqual(atOnce.carry);
    }),
    runs,
  );
});

test("runs of single months give the same charges as one run at the end", () => {
  fc.assert(
    fc.property(plans, (plan) => {
      const profile = planned(plan);
      const start = plan.inputs.inServiceDate.slice(0, 7);
      const months = Array.from({ length: 100 }, (_, index) => addMonths(start, index));
      expect(figures(postAll(profile, months).rows)).toEqual(
        figures(postAll(profile, [months.at(-1) ?? start]).rows),
      );
    }),
    { numRuns: 40 },
  );
});

test("the stored carry equals the one of the rows, in whatever order they are read", () => {
  fc.assert(
    fc.property(plans, fc.integer({ min: 0, max: 60 }), (plan, length) => {
      const profile = planned(plan);
      const through = addMonths(plan.inputs.inServiceDate.slice(0, 7), length);
      const { rows, carry } = postAll(profile, [through]);
      // The impairments are a set: two of one month have no order.
      const inOrder = (one: Carry) => ({ ...one, impairments: one.impairments.toSorted() });
      expect(inOrder(carryOf(profile, rows))).toEqual(inOrder(carry));
      expect(inOrder(carryOf(profile, [...rows].reverse()))).toEqual(inOrder(carry));
      const next = nextPeriod(through);
      expect(computeLines(profile, carryOf(profile, rows), next)).toEqual(computeLines(profile, carry, next));
    }),
    runs,
  );
});
