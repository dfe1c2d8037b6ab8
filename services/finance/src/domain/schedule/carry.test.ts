import { expect, test } from "vitest";
import { changeOf, postRun, profileWith } from "../../../test/schedules.ts";
import { emptyCarry, type PostedRow } from "../ledger/ledger.ts";
import { carryOf } from "./carry.ts";

// Declining balance, 20 % a year: 20.00 of 1,200.00 in January; then 20 % of 1,000.00 for 11 months.
const impairments = [
  { ...changeOf("2027-02-01", {}, { amount: 10_000, on: "2027-02-10" }), id: "chg_1" },
  { ...changeOf("2027-02-01", {}, { amount: 8000, on: "2027-02-20" }), id: "chg_2" },
];
const profile = profileWith(
  { method: "declining_balance", factor: 2, lifeMonths: 120 },
  { changes: impairments },
);
const { rows, carry } = postRun(profile, emptyCarry, "2027-02");

test("the carry has the sums of the rows, the booked impairments and the opening of its segment", () => {
  expect(rows.map(({ kind, amount }) => [kind, amount])).toEqual([
    ["charge", 2000],
    ["impairment", 10_000],
    ["impairment", 8000],
    ["charge", 1667],
  ]);
  expect(carryOf(profile, rows)).toEqual({
    accumulated: 21_667,
    chargedThrough: "2027-02",
    units: 0,
    impairments: ["chg_1", "chg_2"],
    yearCharged: 3667,
    segment: { start: "2027-02", openingNbv: 100_000, charged: 1667 },
  });
});

test("the carry of the rows is the one that posting stored, in whatever order the rows are read", () => {
  expect(carryOf(profile, rows)).toEqual(carry);
  const reversed = carryOf(profile, rows.toReversed());
  expect({ ...reversed, impairments: reversed.impairments.toSorted() }).toEqual(carry);
});

test("rows of a disposal change the accumulated amount only", () => {
  const account: PostedRow[] = [
    { kind: "reversal", period: "2027-03", amount: -500, causeId: "dsp_1" },
    { kind: "disposal", period: "2027-04", amount: 300, causeId: "dsp_1" },
  ];
  expect(carryOf(profile, [...rows, ...account])).toEqual({ ...carry, accumulated: 21_467 });
});

test("straight line has no segment, since each charge follows from the NBV", () => {
  const straight = profileWith({});
  expect(postRun(straight, emptyCarry, "2027-02").carry).toEqual({
    ...{ accumulated: 6666, chargedThrough: "2027-02", units: 0, impairments: [], yearCharged: 6666 },
    segment: undefined,
  });
});

test("charges of a year count until the next fiscal year begins", () => {
  const july = profileWith({ cost: 36_000 }, { fiscalYearStart: 7 });
  expect(postRun(july, emptyCarry, "2027-06").carry.yearCharged).toBe(6000);
  expect(postRun(july, emptyCarry, "2027-08").carry.yearCharged).toBe(2000);
});
