import { describe, expect, it } from "vitest";
import { changeOf, postRun, profileWith } from "../../../test/schedules.ts";
import { disposalJournal } from "../ledger/journal.ts";
import { emptyCarry } from "../ledger/ledger.ts";
import type { Profile, ProfileInputs } from "../profiles/profile.ts";
import { nextPeriod } from "../schedule/period.ts";
import { accountDisposal, type DisposalToAccount } from "./account-disposal.ts";

/** The account of a disposal after a run up to `posted`. */
function dispose(
  profile: Profile,
  posted: string | undefined,
  date: string,
  more: Partial<DisposalToAccount> = {},
) {
  const { rows } = posted === undefined ? { rows: [] } : postRun(profile, emptyCarry, posted);
  return accountDisposal({
    ...{ id: "dsp_1", assetId: "ast_1", book: "book", date, proceeds: 0, profile, rows, cost: profile.cost },
    ...{ openFrom: posted === undefined ? undefined : nextPeriod(posted), ...more },
  });
}

const rowsOf = (account: ReturnType<typeof dispose>) =>
  account.rows.map(({ kind, period, amount }) => [kind, period, amount]);

// 120.00 a month; 2027 has 365 days and the life 1096.
const straight = { cost: 432_000 } as const;

describe("the month of the disposal, by convention", () => {
  const cases: [string, Partial<ProfileInputs>, string | undefined, unknown[]][] = [
    ["full_month, not posted: nothing for the month", {}, "2027-04", []],
    ["full_month, posted: it is taken back", {}, "2027-05", [["disposal", "2027-05", -12_000]]],
    [
      "next_month, not posted: the whole month",
      { convention: "next_month" },
      "2027-04",
      [["disposal", "2027-05", 12_000]],
    ],
    ["next_month, posted: nothing", { convention: "next_month" }, "2027-05", []],
    [
      "mid_month, not posted: half the month",
      { convention: "mid_month" },
      "2027-04",
      [["disposal", "2027-05", 6000]],
    ],
    [
      "mid_month, posted: half of it is taken back",
      { convention: "mid_month" },
      "2027-05",
      [["disposal", "2027-05", -6000]],
    ],
    [
      "daily: the days before the date",
      { convention: "daily", cost: 109_600 },
      "2027-04",
      [["disposal", "2027-05", 1900]],
    ],
    [
      "daily, posted: the days from the date on",
      { convention: "daily", cost: 109_600 },
      "2027-05",
      [["disposal", "2027-05", -1200]],
    ],
  ];
  it.each(cases)("%s", (_title, inputs, posted, rows) => {
    expect(rowsOf(dispose(profileWith({ ...straight, ...inputs }), posted, "2027-05-20"))).toEqual(rows);
  });

  it.each(["full_month", "next_month", "mid_month"] as const)(
    "%s: in service and disposed of in one month: nothing",
    (convention) => {
      const profile = profileWith({ ...straight, convention, inServiceDate: "2027-05-03" });
      const account = dispose(profile, undefined, "2027-05-20");
      expect(account).toMatchObject({ rows: [], nbvAtDisposal: 432_000, bookedIn: "2027-05" });
    },
  );
});

describe("the year of the disposal, by convention", () => {
  const macrs = {
    method: "macrs",
    macrsClass: "5y",
    convention: "half_year",
    lifeMonths: undefined,
    cost: 10_000,
  } as const;

  it("MACRS 5y half-year, cost 100.00, sold in November of year 2 after October was posted (finance.md)", () => {
    const account = dispose(profileWith(macrs), "2028-10", "2028-11-12");
    expect(rowsOf(account)).toEqual([["disposal", "2028-11", -1067]]);
    expect(account).toMatchObject({ accumulated: 3600, nbvAtDisposal: 6400, bookedIn: "2028-11" });
  });

  const inLastYear: [string, Partial<ProfileInputs>, string, number][] = [
    ["half_year: twice 5.76, half of it: the whole rest", {}, "2032-02-01", 10_000],
    [
      "mid_quarter Q1: 1.38 x 12 / 1.5 x 12.5 %: the whole rest",
      { convention: "mid_quarter" },
      "2032-01-15",
      10_000,
    ],
    [
      "3y mid_quarter Q4: 10.19 x 12 / 10.5 x 12.5 %",
      { convention: "mid_quarter", macrsClass: "3y", inServiceDate: "2027-11-01" },
      "2030-02-01",
      8981 + 146,
    ],
  ];
  it.each(inLastYear)("in the last year, %s", (_title, inputs, date, accumulated) => {
    const profile = profileWith({ ...macrs, ...inputs });
    expect(dispose(profile, undefined, date).accumulated).toBe(accumulated);
  });

  it.each([
    ["2028-02-01", 3500 + 325],
    ["2028-05-01", 3500 + 975],
    ["2028-08-01", 3500 + 1625],
    ["2028-11-01", 3500 + 2275],
  ])("mid_quarter, disposed of on %s: 12.5, 37.5, 62.5 or 87.5 %% of the year", (date, accumulated) => {
    expect(dispose(profileWith({ ...macrs, convention: "mid_quarter" }), undefined, date).accumulated).toBe(
      accumulated,
    );
  });

  it("39y: (month - 0.5) / 12 of the year, nothing in the first year", () => {
    const profile = profileWith({ ...macrs, macrsClass: "39y", convention: "mid_month", cost: 10_000_000 });
    expect(dispose(profile, undefined, "2027-09-01").accumulated).toBe(0);
    expect(dispose(profile, "2028-02", "2028-03-20").accumulated).toBe(246_100 + 53_417);
  });

  it("placed in service and disposed of in one year: nothing, and what was charged is taken back", () => {
    const account = dispose(profileWith(macrs), "2027-04", "2027-06-10", { proceeds: 9000 });
    expect(rowsOf(account)).toEqual([
      ["disposal", "2027-05", 167],
      ["disposal", "2027-06", -835],
    ]);
    expect(account).toMatchObject({ accumulated: 0, nbvAtDisposal: 10_000, gainLoss: -1000 });
  });

  it("straight line with half_year: half of the year's amount", () => {
    const profile = profileWith({ cost: 240_000, lifeMonths: 24, convention: "half_year" });
    expect(dispose(profile, "2028-03", "2028-04-02").accumulated).toBe(60_000 + 60_000);
  });
});

describe("a disposal", () => {
  it("reverses the charges of later months row by row and is booked after the last posted month", () => {
    const account = dispose(profileWith(straight), "2027-06", "2027-04-10", { proceeds: 500_000 });
    expect(rowsOf(account)).toEqual([
      ["reversal", "2027-05", -12_000],
      ["reversal", "2027-06", -12_000],
      ["disposal", "2027-04", -12_000],
    ]);
    expect(account.rows.every(({ bookedIn, causeId }) => bookedIn === "2027-07" && causeId === "dsp_1")).toBe(
      true,
    );
    expect(account).toMatchObject({
      accumulated: 36_000,
      nbvAtDisposal: 396_000,
      gainLoss: 104_000,
      bookedIn: "2027-07",
    });
    expect(account.journal).toEqual([
      ...[
        { debitAccount: "accumulated_depreciation", creditAccount: "depreciation_expense", amount: 36_000 },
        { debitAccount: "accumulated_depreciation", creditAccount: "asset_cost", amount: 36_000 },
        { debitAccount: "proceeds_clearing", creditAccount: "asset_cost", amount: 396_000 },
        { debitAccount: "proceeds_clearing", creditAccount: "gain_on_disposal", amount: 104_000 },
      ].map((entry) => ({ ...entry, bookedIn: "2027-07" })),
    ]);
  });

  it("charges open months before it one by one, each reported in its month, and its journal names the months", () => {
    const account = dispose(profileWith({ ...straight, convention: "mid_month" }), "2027-01", "2027-04-10");
    expect(
      account.rows.map(({ kind, period, bookedIn, amount }) => [kind, period, bookedIn, amount]),
    ).toEqual([
      ["disposal", "2027-02", "2027-02", 12_000],
      ["disposal", "2027-03", "2027-03", 12_000],
      ["disposal", "2027-04", "2027-04", 6000],
    ]);
    const expenses = account.journal.filter(({ debitAccount }) => debitAccount === "depreciation_expense");
    expect(expenses.map(({ bookedIn, amount }) => [bookedIn, amount])).toEqual([
      ["2027-02", 12_000],
      ["2027-03", 12_000],
      ["2027-04", 6000],
    ]);
  });

  it("takes out in its month what the earlier months have left, in every report", () => {
    const profile = profileWith({ ...straight, convention: "mid_month" });
    const { rows, values } = dispose(profile, "2027-01", "2027-04-10");
    expect(values).toEqual([
      { book: "book", bookedIn: "2027-04", kind: "taken_out", amount: 432_000 - 6000 - 12_000 * 2 - 6000 },
    ]);
    expect(rows.at(-1)?.bookedIn).toBe("2027-04");
  });

  it("of an asset that was deleted meanwhile brings in what it takes out, since the deletion took its value", () => {
    const profile = { ...profileWith({ ...straight, convention: "mid_month" }), endedAt: new Date(0) };
    const { rows, values } = dispose(profile, "2027-01", "2027-04-10");
    const added = rows.reduce((sum, { amount }) => sum + amount, 0);
    const [value, out] = values;
    expect(values).toHaveLength(2);
    expect(value).toMatchObject({ kind: "value", bookedIn: "2027-02", amount: (out?.amount ?? 0) + added });
  });

  it("books an impairment up to its date that no run has booked, and ignores later ones", () => {
    const changes = [
      changeOf("2027-03-01", {}, { amount: 8000, on: "2027-03-15" }),
      changeOf("2027-04-01", {}, { amount: 1000, on: "2027-04-25" }),
    ];
    const account = dispose(profileWith(straight, { changes }), "2027-02", "2027-04-10");
    expect(rowsOf(account)).toEqual([
      ["disposal", "2027-03", 11_765],
      ["impairment", "2027-03", 8000],
    ]);
  });

  it("without a profile has the cost as its NBV", () => {
    const account = accountDisposal({
      ...{
        id: "dsp_1",
        assetId: "ast_1",
        book: "tax",
        date: "2027-04-10",
        proceeds: 0,
        cost: 5000,
        rows: [],
      },
      openFrom: "2027-03",
    });
    expect(account).toMatchObject({ rows: [], nbvAtDisposal: 5000, gainLoss: -5000, bookedIn: "2027-04" });
    expect(account.journal).toEqual([
      { debitAccount: "loss_on_disposal", creditAccount: "asset_cost", amount: 5000, bookedIn: "2027-04" },
    ]);
  });

  it("of an asset without a method has the NBV as it is", () => {
    const account = dispose(
      profileWith({ method: "manual", openingAccumulated: 32_000, openingOn: "2027-01-01", ...straight }),
      undefined,
      "2027-04-10",
    );
    expect(account).toMatchObject({ rows: [], nbvAtDisposal: 400_000 });
  });

  it("by units of production charges what was used until the end of the month", () => {
    const profile = profileWith({ method: "units_of_production", totalUnits: 100, cost: 10_000 });
    const units = new Map([
      ["2027-01", 10_000],
      ["2027-02", 30_000],
    ]);
    expect(dispose(profile, undefined, "2027-02-20", { units }).accumulated).toBe(3000);
  });

  it("after a time held for sale charges nothing more", () => {
    const profile = profileWith(straight, {
      changes: [changeOf("2027-03-01", { heldForSaleOn: "2027-03-10" })],
    });
    expect(dispose(profile, undefined, "2027-06-10").accumulated).toBe(24_000);
  });
});

describe("the journal of a disposal (finance.md)", () => {
  it("cost 1,200, accumulated 300, sold for 1,000", () => {
    expect(
      disposalJournal({ bookedIn: "2027-04", accumulated: 300, nbv: 900, proceeds: 1000 }),
    ).toMatchObject([
      { debitAccount: "accumulated_depreciation", creditAccount: "asset_cost", amount: 300 },
      { debitAccount: "proceeds_clearing", creditAccount: "asset_cost", amount: 900 },
      { debitAccount: "proceeds_clearing", creditAccount: "gain_on_disposal", amount: 100 },
    ]);
  });

  it("a sale below the net book value is a loss", () => {
    expect(
      disposalJournal({
        categoryId: "cat_1",
        bookedIn: "2027-04",
        accumulated: 300,
        nbv: 900,
        proceeds: 200,
      }),
    ).toMatchObject([
      {
        categoryId: "cat_1",
        debitAccount: "accumulated_depreciation",
        creditAccount: "asset_cost",
        amount: 300,
      },
      { categoryId: "cat_1", debitAccount: "proceeds_clearing", creditAccount: "asset_cost", amount: 200 },
      { categoryId: "cat_1", debitAccount: "loss_on_disposal", creditAccount: "asset_cost", amount: 700 },
    ]);
  });
});
