import { expect, test } from "vitest";
import { changeOf, profileWith } from "../../../../test/schedules.ts";
import { emptyCarry } from "../../ledger/ledger.ts";
import { computeLines, forecast, unitMonths } from "../lines.ts";

const inputs = {
  method: "units_of_production",
  cost: 100_000,
  totalUnits: 1000,
  lifeMonths: undefined,
} as const;
const unitsOf = (units: Record<string, number | undefined>) =>
  new Map(
    Object.entries(units).map(([month, value]) => [month, value === undefined ? undefined : value * 1000]),
  );

test("each month has its share of the units, and a late reading counts in the next charge", () => {
  const profile = profileWith(inputs);
  const units = unitsOf({ "2027-01": 100, "2027-02": 100, "2027-03": 250.5, "2027-04": 1200 });
  const { lines, warnings } = computeLines(profile, emptyCarry, "2027-04", units);
  expect(lines.map(({ amount }) => amount)).toEqual([10_000, 0, 15_050, 74_950]);
  expect(warnings).toEqual([{ code: "CATCH_UP", months: 3 }, { code: "NO_READING" }]);
});

test("an asset without readings has a line of 0 and NO_READING", () => {
  const { lines, warnings } = computeLines(
    profileWith(inputs),
    emptyCarry,
    "2027-01",
    unitsOf({ "2027-01": undefined }),
  );
  expect(lines.map(({ amount, units }) => [amount, units])).toEqual([[0, 0]]);
  expect(warnings).toEqual([{ code: "NO_READING" }]);
});

test("an asset with readings has no warning, and needs the units of each month without a charge", () => {
  const profile = profileWith(inputs);
  const { warnings } = computeLines(profile, emptyCarry, "2027-01", unitsOf({ "2027-01": 100 }));
  expect(warnings).toEqual([]);
  expect(unitMonths(profile, emptyCarry, "2027-03")).toEqual(["2027-01", "2027-02", "2027-03"]);
});

test("when all units are used a raised cost is charged at once, but not without a reading", () => {
  const profile = profileWith(inputs, { changes: [changeOf("2027-02-01", { cost: 130_000 })] });
  const amounts = (february: number | undefined) =>
    computeLines(profile, emptyCarry, "2027-02", unitsOf({ "2027-01": 1000, "2027-02": february })).lines.map(
      ({ amount }) => amount,
    );
  expect(amounts(1000)).toEqual([100_000, 30_000]);
  expect(amounts(undefined)).toEqual([100_000, 0]);
});

test("the forecast ends with the known units", () => {
  const profile = profileWith(inputs);
  const units = unitsOf({ "2027-01": 100, "2027-02": 150 });
  expect(forecast(profile, emptyCarry, units).map(({ amount }) => amount)).toEqual([10_000, 5000]);
  expect(forecast(profile, emptyCarry)).toEqual([]);
});

test("a change to units of production charges the units used from then on", () => {
  const profile = profileWith(
    { cost: 120_000, lifeMonths: 12 },
    { changes: [changeOf("2027-03-01", { method: "units_of_production", totalUnits: 1000 })] },
  );
  const { carry } = computeLines(profile, emptyCarry, "2027-02");
  expect(unitMonths(profile, carry, "2027-04")).toEqual(["2027-02", "2027-03", "2027-04"]);
  const units = unitsOf({ "2027-02": 200, "2027-03": 300, "2027-04": 400 });
  const { lines } = computeLines(profile, carry, "2027-04", units);
  // 1,000.00 are left for 800 units.
  expect(lines.map(({ amount }) => amount)).toEqual([12_500, 12_500]);
});

test("before a change to units of production the forecast has the months of the other method", () => {
  const profile = profileWith(
    { cost: 120_000, lifeMonths: 12 },
    { changes: [changeOf("2027-03-01", { method: "units_of_production", totalUnits: 1000 })] },
  );
  expect(forecast(profile, emptyCarry).map(({ period, amount }) => [period, amount])).toEqual([
    ["2027-01", 10_000],
    ["2027-02", 10_000],
  ]);
});

test("the units used before a change to units of production are not charged, whatever was or will be changed", () => {
  const profile = profileWith(
    { cost: 120_000, lifeMonths: 12 },
    {
      changes: [
        changeOf("2027-02-01", { salvage: 20_000 }),
        changeOf("2027-03-01", { method: "units_of_production", totalUnits: 1000 }),
        changeOf("2027-06-01", { method: "straight_line" }, undefined, ["totalUnits"]),
      ],
    },
  );
  const { carry } = computeLines(profile, emptyCarry, "2027-02");
  const units = unitsOf({ "2027-02": 200, "2027-03": 300, "2027-04": 400 });
  const march = computeLines(profile, carry, "2027-03", units);
  // 1,200.00 - 100.00 - 81.82 - 200.00 are left for 800 units.
  expect(march.lines.map(({ amount }) => amount)).toEqual([Math.round(81_818 / 8)]);
  expect(unitMonths(profile, march.carry, "2027-04")).toEqual(["2027-04"]);
});

test("a method that changes to units of production before the first charge counts all units", () => {
  const profile = profileWith(
    { cost: 120_000, lifeMonths: 12 },
    { changes: [changeOf("2027-01-01", { method: "units_of_production", totalUnits: 1000 })] },
  );
  expect(unitMonths(profile, emptyCarry, "2027-01")).toEqual(["2027-01"]);
  const { lines } = computeLines(profile, emptyCarry, "2027-01", unitsOf({ "2027-01": 100 }));
  expect(lines.map(({ amount }) => amount)).toEqual([12_000]);
});

test("a change from units of production to straight line has a forecast without units", () => {
  const profile = profileWith(
    { ...inputs, lifeMonths: 12 },
    { changes: [changeOf("2027-03-01", { method: "straight_line" }, undefined, ["totalUnits"])] },
  );
  const units = unitsOf({ "2027-01": 100, "2027-02": 200 });
  const { carry } = computeLines(profile, emptyCarry, "2027-02", units);
  expect(forecast(profile, carry).map(({ amount }) => amount)).toEqual(Array(10).fill(8000));
  expect(unitMonths(profile, carry, "2027-12")).toEqual([]);
});
