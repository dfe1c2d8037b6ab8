import { expect, test } from "vitest";
import { changeOf, profileWith } from "../../../test/schedules.ts";
import { emptyCarry } from "../ledger/ledger.ts";
import type { ProfileInputs } from "../profiles/profile.ts";
import { describeDerivation } from "./derivation.ts";
import { fingerprintOf } from "./fingerprint.ts";
import type { Line } from "./line.ts";
import { computeLines, forecast } from "./lines.ts";

const text = (line: Line | undefined, digits = 2): string =>
  line === undefined ? "" : describeDerivation(line.inputs, line.amount, digits);
const lineOf = (inputs: Partial<ProfileInputs>, index = 0) =>
  forecast(profileWith(inputs), emptyCarry)[index];

test("the example of finance.md", () => {
  expect(text(lineOf({ lifeMonths: 12 }, 3))).toBe(
    "straight line: (1,200.00 - 0.00 - 300.00 charged) x 1 / 9 months left = 100.00",
  );
});

test("each method in words and numbers", () => {
  const cases: [Partial<ProfileInputs>, number, string][] = [
    [
      { convention: "mid_month" },
      0,
      "straight line: (1,200.00 - 0.00 - 0.00 charged) x 0.5 / 36 months left = 16.67",
    ],
    [
      { convention: "daily" },
      1,
      "straight line: (1,200.00 - 0.00 - 33.94 charged) x 28 / 1065 days left = 30.66",
    ],
    [
      { method: "declining_balance", factor: 2, switchToSl: true, lifeMonths: 60 },
      13,
      "declining balance: year 720.00 x 40% = 288.00; (288.00 - 24.00 charged this year) x 1 / 11 months left this year = 24.00",
    ],
    [
      { method: "declining_balance", rate: 33.3333, inServiceDate: "2027-10-01" },
      0,
      "declining balance: year 1,200.00 x 33.3333% x 3 / 12 months of a year = 100.00; (100.00 - 0.00 charged this year) x 1 / 3 months left this year = 33.33",
    ],
    [
      { method: "sum_of_years_digits", lifeMonths: 36 },
      12,
      "sum of years' digits: [year 2: 1,200.00 x 2 / 6 = 400.00; (400.00 - 0.00 charged) x 1 / 12 months left] = 33.33",
    ],
    [
      { method: "macrs", macrsClass: "5y", convention: "half_year" },
      12,
      "MACRS: [year 2: 1,200.00 x 3200 / 10000 = 384.00; (384.00 - 0.00 charged) x 1 / 12 months left] = 32.00",
    ],
    [
      { inServiceDate: "2020-01-01", openingAccumulated: 20_000, openingOn: "2027-01-01" },
      0,
      "the life is over: 1,200.00 - 0.00 - 200.00 charged = 1,000.00",
    ],
  ];
  for (const [inputs, index, expected] of cases) expect(text(lineOf(inputs, index))).toBe(expected);
});

test("units of production, impairments and the year in which the charge stops", () => {
  const byUnits = profileWith({ method: "units_of_production", totalUnits: 1000 });
  const units = new Map([["2027-01", 12_500]]);
  expect(text(computeLines(byUnits, emptyCarry, "2027-01", units).lines[0])).toBe(
    "units of production: (1,200.00 - 0.00 - 0.00 charged) x 12.5 / 1,000 units left = 15.00",
  );
  const impaired = profileWith(
    {},
    { changes: [changeOf("2027-02-01", {}, { amount: 5000, on: "2027-02-10" })] },
  );
  expect(text(forecast(impaired, emptyCarry)[1])).toBe("impairment on 2027-02-10 = 50.00");
  const held = profileWith(
    { method: "macrs", macrsClass: "5y", convention: "half_year" },
    { changes: [changeOf("2028-03-01", { heldForSaleOn: "2028-03-10" })] },
  );
  expect(text(forecast(held, emptyCarry).at(-1))).toBe(
    "the charge stops in this year: 384.00 x 1 / 2 - 64.00 charged this year, at least 0 = 128.00",
  );
});

test("amounts have the digits of the currency", () => {
  expect(text(lineOf({ lifeMonths: 12 }), 0)).toContain("(120,000 - 0 - 0 charged)");
  expect(text(lineOf({ lifeMonths: 12 }), 3)).toContain("(120.000 - 0.000 - 0.000 charged)");
});

test("equal inputs have equal fingerprints, others do not", () => {
  const inputs = { rule: "rest", cost: 1, salvage: 2, charged: 3 } as const;
  expect(fingerprintOf({ charged: 3, salvage: 2, cost: 1, rule: "rest" })).toBe(fingerprintOf(inputs));
  expect(fingerprintOf({ ...inputs, charged: 4 })).not.toBe(fingerprintOf(inputs));
});
