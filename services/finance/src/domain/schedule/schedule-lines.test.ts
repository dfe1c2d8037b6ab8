import { describe, expect, test } from "vitest";
import { changeOf, postRun, profileWith } from "../../../test/schedules.ts";
import { emptyCarry, type LedgerRow } from "../ledger/ledger.ts";
import { computeLines, forecast } from "./lines.ts";
import { forecastLines, type PostedLine, postedLines, type ScheduleLine } from "./schedule-lines.ts";

const profile = profileWith(
  { openingAccumulated: 12_000, openingOn: "2027-01-01" },
  { changes: [changeOf("2027-02-01", {}, { amount: 3_000, on: "2027-02-10" })] },
);
const { lines } = computeLines(profile, emptyCarry, "2027-02");
const { rows } = postRun(profile, emptyCarry, "2027-02");
const disposed = { digits: 2, disposedOn: "2027-02-20" };
const row = (fields: Partial<LedgerRow>): LedgerRow => ({
  ...{ profileId: "prf_1", assetId: "ast_1", book: "book", kind: "charge", period: "2027-01" },
  ...{ bookedIn: "2027-02", amount: 1_000, causeId: "run_1", ...fields },
});
const figures = (found: readonly ScheduleLine[]) =>
  found.map(({ period, kind, openingNbv, amount, closingNbv }) => [
    ...[period, kind, openingNbv, amount, closingNbv],
  ]);
const expectedFigures = [
  ["2027-01", "charge", 108_000, 3_000, 105_000],
  ["2027-02", "impairment", 105_000, 3_000, 102_000],
  ["2027-02", "charge", 102_000, 2_914, 99_086],
];

describe("posted rows as lines of a schedule", () => {
  test("have the openings and the derivations of the lines of their runs, in the order of booking", () => {
    const found = postedLines(profile, rows.toReversed(), lines, { digits: 2 });
    expect(figures(found)).toEqual(expectedFigures);
    expect(found.every(({ status }) => status === "posted")).toBe(true);
    expect(found.map(({ derivation }) => derivation)).toEqual(
      forecastLines(lines, 2).map(({ derivation }) => derivation),
    );
  });

  test("follow from each other if the line of a run is missing; an impairment names its day", () => {
    const found = postedLines(
      profile,
      rows.filter(({ kind }) => kind === "impairment"),
      [],
      { digits: 2 },
    );
    expect(figures(found)).toEqual([["2027-02", "impairment", 108_000, 3_000, 105_000]]);
    expect(found[0]?.derivation).toBe("impairment on 2027-02-10 = 30.00");
    const unknown = postedLines(profile, [row({ kind: "impairment", causeId: "x" })], [], { digits: 2 });
    expect(unknown[0]?.derivation).toBe("impairment on 2027-01 = 10.00");
  });

  test("two impairments of one month have the lines of their own changes", () => {
    const twice = profileWith(
      {},
      {
        changes: [
          changeOf("2027-01-01", {}, { amount: 3_000, on: "2027-01-10" }),
          changeOf("2027-01-01", {}, { amount: 2_000, on: "2027-01-20" }),
        ],
      },
    );
    const computed = computeLines(twice, emptyCarry, "2027-01").lines;
    const found = postedLines(twice, postRun(twice, emptyCarry, "2027-01").rows, computed, { digits: 2 });
    expect(figures(found).slice(0, 2)).toEqual([
      ["2027-01", "impairment", 120_000, 3_000, 117_000],
      ["2027-01", "impairment", 117_000, 2_000, 115_000],
    ]);
  });

  test("of a disposal: charges after it are given back, and what is due until it follows", () => {
    const account = [
      row({ kind: "disposal", period: "2027-02", bookedIn: "2027-03", amount: -400 }),
      row({ kind: "reversal", period: "2027-03", bookedIn: "2027-03", amount: -2_000 }),
    ];
    const posted = [row({ amount: 5_000 }), row({ period: "2027-03", bookedIn: "2027-03", amount: 2_000 })];
    const all = [...account, ...posted];
    const found = postedLines(profile, all, [], disposed);
    expect(figures(found)).toEqual([
      ["2027-01", "charge", 108_000, 5_000, 103_000],
      ["2027-03", "reversal", 103_000, -2_000, 105_000],
      ["2027-03", "charge", 105_000, 2_000, 103_000],
      ["2027-02", "disposal", 103_000, -400, 103_400],
    ]);
    expect(postedLines(profile, all.toReversed(), [], disposed)).toEqual(found);
    expect(found.slice(1).map(({ derivation }) => derivation)).toEqual([
      "gives back a charge after the disposal on 2027-02-20 = -20.00",
      "50.00 due up to the disposal on 2027-02-20 by full_month - 30.00 charged = 20.00",
      "46.00 due up to the disposal on 2027-02-20 by full_month - 50.00 charged = -4.00",
    ]);
  });

  test("a disposal counts the charges that were due, without impairments", () => {
    const found = postedLines(
      profile,
      [row({}), row({ kind: "impairment", amount: 3_000 }), row({ kind: "disposal", amount: 500 })],
      [],
      disposed,
    );
    expect(found.at(-1)?.derivation).toBe(
      "15.00 due up to the disposal on 2027-02-20 by full_month - 10.00 charged = 5.00",
    );
  });

  test("a row that was booked late is after those that were booked before, of whatever month they are", () => {
    const late = row({ kind: "impairment", period: "2027-01", bookedIn: "2027-04" });
    const found = postedLines(profile, [late, row({ period: "2027-03", bookedIn: "2027-03" })], [], {
      digits: 2,
    });
    expect(found.map(({ period, kind }) => `${period} ${kind}`)).toEqual([
      "2027-03 charge",
      "2027-01 impairment",
    ]);
  });

  test("a reversal counts with the newest cost, as its disposal does", () => {
    const later = profileWith({}, { changes: [changeOf("2027-06-01", { cost: 90_000 })] });
    const reversal = row({ kind: "reversal", period: "2027-03", amount: -500 });
    const found = postedLines(later, [row({}), reversal], [], disposed);
    expect(found.map(({ openingNbv }) => openingNbv)).toEqual([120_000, 89_000]);
  });

  test("a disposal counts with the newest cost, other rows with the cost of their month", () => {
    const later = profileWith({}, { changes: [changeOf("2027-06-01", { cost: 90_000 })] });
    const found = postedLines(
      later,
      [row({}), row({ kind: "disposal", period: "2027-02", amount: 500 })],
      [],
      disposed,
    );
    expect(found.map(({ openingNbv }) => openingNbv)).toEqual([120_000, 89_000]);
  });

  test("rows of one month are in order: impairment, charge; a row without a line keeps its place", () => {
    const found = postedLines(
      profile,
      [row({ period: "2027-02" }), row({ period: "2027-02", kind: "impairment" }), row({})],
      [] satisfies PostedLine[],
      { digits: 2 },
    );
    expect(found.map(({ period, kind }) => `${period} ${kind}`)).toEqual([
      ...["2027-01 charge", "2027-02 impairment", "2027-02 charge"],
    ]);
  });
});

test("the forecast as lines of a schedule has the same figures, and is not posted", () => {
  const found = forecastLines(forecast(profile, emptyCarry).slice(0, 3), 2);
  expect(figures(found)).toEqual(expectedFigures);
  expect(found.map(({ status }) => status)).toEqual(["forecast", "forecast", "forecast"]);
  expect(found[0]?.derivation).toBe(
    "straight line: (1,200.00 - 0.00 - 120.00 charged) x 1 / 36 months left = 30.00",
  );
});
