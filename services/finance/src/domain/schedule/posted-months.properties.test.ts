import fc from "fast-check";
import { expect, test } from "vitest";
import { days, edits, profileInputs } from "../../../test/arbitrary-profiles.ts";
import { type Action, SimulatedAsset } from "../../../test/simulated-asset.ts";
import { carryOf } from "./carry.ts";
import { addMonths } from "./period.ts";

const END = "2099-12";

const small = fc.integer({ min: 0, max: 6 });

const actions: fc.Arbitrary<Action> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("month_passes" as const), months: small }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant("run" as const), months: small, discarded: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("profile" as const), inputs: profileInputs }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("change" as const),
      edit: fc.oneof(
        edits.map((fields) => ({ fields })),
        fc.record({
          fields: fc.constant({}),
          impairment: fc.record({ amount: fc.integer({ min: 1, max: 5000 }), on: days }),
        }),
        fc.record({ fields: days.map((heldForSaleOn) => ({ heldForSaleOn })) }),
        fc.constant({ fields: {}, endHeldForSale: true }),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("disposal" as const),
      day: days,
      proceeds: fc.integer({ min: 0, max: 1_000_000 }),
    }),
  },
);

const histories = fc.array(actions, { maxLength: 40 });

/** Applies actions and checks the posted months after each. */
function simulate(history: readonly Action[], check: (asset: SimulatedAsset) => void): SimulatedAsset {
  const asset = new SimulatedAsset();
  for (const action of history) {
    asset.apply(action);
    check(asset);
  }
  return asset;
}

test("the figures of a posted month never change: runs, late assets, backdated disposals, changes and failures", () => {
  fc.assert(
    fc.property(histories, (history) => {
      simulate(history, (asset) => {
        for (const [month, reported] of asset.posted) expect(asset.reported(month)).toEqual(reported);
      });
    }),
    { numRuns: 400 },
  );
});

test("the change of NBV is the changes of cost, less the ledger's sum, less what a disposal took out", () => {
  fc.assert(
    fc.property(histories, (history) => {
      const asset = simulate(history, () => {});
      const ledger = asset.rows.reduce((sum, { amount }) => sum + amount, 0);
      const takenOut = asset.disposal === undefined || asset.profile === undefined ? 0 : asset.disposal.nbv;
      expect(asset.reported(END).nbv).toBe(asset.grossAt(END) - ledger - takenOut);
      if (asset.disposal !== undefined) return;
      for (let month = "2027-01"; month <= asset.month; month = addMonths(month, 1)) {
        const before = addMonths(month, -1);
        const change = asset.reported(month).nbv - asset.reported(before).nbv;
        expect(change).toBe(asset.grossAt(month) - asset.grossAt(before) - asset.reported(month).booked);
      }
    }),
    { numRuns: 200 },
  );
});

test("the ledger has one charge for each month, none negative, and gives the stored carry", () => {
  fc.assert(
    fc.property(histories, (history) => {
      const asset = simulate(history, () => {});
      const charges = asset.rows.filter(({ kind }) => kind === "charge");
      expect(new Set(charges.map(({ period }) => period)).size).toBe(charges.length);
      expect(charges.every(({ amount }) => amount >= 0)).toBe(true);
      expect(asset.rows.every(({ period, bookedIn }) => bookedIn >= period)).toBe(true);
      if (asset.profile !== undefined) expect(carryOf(asset.profile, asset.rows)).toEqual(asset.carry);
      if (asset.disposal !== undefined && asset.profile !== undefined) {
        const left = asset.profile.cost - asset.profile.openingAccumulated - asset.carry.accumulated;
        expect(asset.disposal.nbv).toBe(left);
        expect(left).toBeGreaterThanOrEqual(0);
      }
    }),
    { numRuns: 300 },
  );
});
