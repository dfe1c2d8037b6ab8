import { createHash } from "node:crypto";
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

test("declining balance says why the amount of a year is not its rate", () => {
  const declining = { method: "declining_balance", factor: 2, lifeMonths: 60 } as const;
  const cases: [string, Partial<ProfileInputs>, number, string][] = [
    [
      "straight line is more",
      { ...declining, switchToSl: true },
      36,
      "straight line over the remaining life from here, year 129.60; (129.60 - 0.00 charged this year) x 1 / 12 months left this year = 10.80",
    ],
    [
      "straight line is as much: 50 % of 300.00, and 300.00 over 2 years",
      { ...declining, switchToSl: true, lifeMonths: 48 },
      24,
      "straight line over the remaining life from here, year 150.00; (150.00 - 0.00 charged this year) x 1 / 12 months left this year = 12.50",
    ],
    [
      "the last year takes the rest",
      { ...declining, salvage: 2000 },
      48,
      "last year 155.52 - 20.00 = 135.52; (135.52 - 0.00 charged this year) x 1 / 12 months left this year = 11.29",
    ],
    [
      "only the base is left",
      { ...declining, salvage: 60_000 },
      12,
      "year 720.00 x 40%, at most 720.00 - 600.00 = 120.00; (120.00 - 0.00 charged this year) x 1 / 12 months left this year = 10.00",
    ],
    [
      "the rate gives the base exactly: no reason",
      { ...declining, salvage: 72_000 },
      0,
      "year 1,200.00 x 40% = 480.00; (480.00 - 0.00 charged this year) x 1 / 12 months left this year = 40.00",
    ],
  ];
  for (const [reason, inputs, index, expected] of cases) {
    expect(text(lineOf(inputs, index)), reason).toBe(`declining balance: ${expected}`);
  }
});

test("after an opening or a change the fractions of the years are those of the years that are left", () => {
  const macrs = { method: "macrs", macrsClass: "5y", convention: "half_year" } as const;
  expect(text(lineOf({ ...macrs, openingAccumulated: 24_000, openingOn: "2028-01-01" }))).toBe(
    "MACRS: [year 2: 960.00 x 3200 / 8000 = 384.00; (384.00 - 0.00 charged) x 1 / 12 months left] = 32.00",
  );
  const changed = profileWith(
    { method: "sum_of_years_digits", cost: 3_600_000, lifeMonths: 60 },
    { changes: [changeOf("2028-07-01", { cost: 4_000_000 })] },
  );
  // Half of year 2 is left: 2, 3, 2 and 1 of 8.
  expect(text(forecast(changed, emptyCarry)[18])).toBe(
    "sum of years' digits: [year 2: 23,200.00 x 2 / 8 = 5,800.00; (5,800.00 - 0.00 charged) x 1 / 6 months left] = 966.67",
  );
});

test("a month in which a year of life ends names the parts of both years", () => {
  const inputs = {
    method: "sum_of_years_digits",
    cost: 7200,
    lifeMonths: 24,
    convention: "mid_month",
  } as const;
  expect(text(lineOf(inputs, 12))).toBe(
    "sum of years' digits: [year 1: 72.00 x 2 / 3 = 48.00; (48.00 - 46.00 charged) x 0.5 / 0.5 months left]" +
      " + [year 2: 72.00 x 1 / 3 = 24.00; (24.00 - 0.00 charged) x 0.5 / 12 months left] = 3.00",
  );
});

test("months that are no multiple of a half are a fraction", () => {
  const inputs = {
    convention: "mid_quarter",
    cost: 211_200,
    lifeMonths: 24,
    inServiceDate: "2027-02-01",
  } as const;
  expect(text(lineOf(inputs))).toBe(
    "straight line: (2,112.00 - 0.00 - 0.00 charged) x (21 / 22) / 24 months left = 84.00",
  );
});

test("the last month of a life has its share of what is left, a month after it takes the rest", () => {
  expect(text(lineOf({ lifeMonths: 12 }, 11))).toBe(
    "straight line: (1,200.00 - 0.00 - 1,100.00 charged) x 1 / 1 months left = 100.00",
  );
});

test("MACRS ignores the salvage, other methods subtract it", () => {
  const over = {
    inServiceDate: "2010-01-01",
    openingAccumulated: 20_000,
    openingOn: "2027-01-01",
    salvage: 5000,
  };
  expect(text(lineOf({ ...over, method: "macrs", macrsClass: "5y", convention: "half_year" }))).toBe(
    "the life is over: 1,200.00 - 0.00 - 200.00 charged = 1,000.00",
  );
  expect(text(lineOf(over))).toBe("the life is over: 1,200.00 - 50.00 - 200.00 charged = 950.00");
});

test("an impairment of more than the net book value is that value", () => {
  const change = changeOf("2027-02-01", {}, { amount: 150_000, on: "2027-02-10" });
  expect(text(forecast(profileWith({ lifeMonths: 12 }, { changes: [change] }), emptyCarry)[1])).toBe(
    "impairment on 2027-02-10: 1,500.00, at most the net book value of 1,100.00 = 1,100.00",
  );
});

test("amounts of a million have two separators", () => {
  expect(text(lineOf({ cost: 1_234_567_800, lifeMonths: 1 }))).toContain("(12,345,678.00 - 0.00");
});

test("amounts have the digits of the currency", () => {
  expect(text(lineOf({ lifeMonths: 12 }), 0)).toContain("(120,000 - 0 - 0 charged)");
  expect(text(lineOf({ lifeMonths: 12 }), 3)).toContain("(120.000 - 0.000 - 0.000 charged)");
});

test("a fingerprint has 16 digits of the SHA-256 of the inputs with sorted names, so stored ones stay comparable", () => {
  const sorted = '{"charged":3,"cost":1,"rule":"rest","salvage":2}';
  const digits = createHash("sha256").update(sorted).digest("hex").slice(0, 16);
  expect(fingerprintOf({ rule: "rest", cost: 1, salvage: 2, charged: 3 })).toBe(digits);
});

test("equal inputs have equal fingerprints, others do not", () => {
  const inputs = { rule: "rest", cost: 1, salvage: 2, charged: 3 } as const;
  expect(fingerprintOf({ charged: 3, salvage: 2, cost: 1, rule: "rest" })).toBe(fingerprintOf(inputs));
  expect(fingerprintOf({ ...inputs, charged: 4 })).not.toBe(fingerprintOf(inputs));
});
