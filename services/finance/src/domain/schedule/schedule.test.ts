import { describe, expect, it } from "vitest";
import {
  amountsOf,
  changeOf,
  postRun,
  profileWith,
  scheduleOf,
  sum,
  yearsOf,
} from "../../../test/schedules.ts";
import { emptyCarry } from "../ledger/ledger.ts";
import type { ProfileInputs } from "../profiles/profile.ts";

describe("straight line (finance.md, IAS 16.62)", () => {
  it("shares 100.00 over 3 months as 33.33, 33.34, 33.33", () => {
    expect(amountsOf(profileWith({ cost: 10_000, lifeMonths: 3 }))).toEqual([3333, 3334, 3333]);
  });

  it("daily: each day of the life costs the same, 366.00 over 12 months from 2027-12-10", () => {
    const profile = profileWith({
      ...{ cost: 36_600, lifeMonths: 12, convention: "daily", inServiceDate: "2027-12-10" },
    });
    const months = [2200, 3100, 2900, 3100, 3000, 3100, 3000, 3100, 3100, 3000, 3100, 3000, 900];
    expect(amountsOf(profile)).toEqual(months);
    expect(scheduleOf(profile)[0]?.period).toBe("2027-12");
  });

  const half: [string, Partial<ProfileInputs>, [string, number][]][] = [
    [
      "next_month begins after the in-service month",
      { convention: "next_month" },
      [
        ["2027-02", 500],
        ["2027-03", 500],
        ["2027-04", 500],
      ],
    ],
    [
      "mid_month has half a month at both ends",
      { convention: "mid_month" },
      [
        ["2027-01", 250],
        ["2027-02", 500],
        ["2027-03", 500],
        ["2027-04", 250],
      ],
    ],
    [
      "full_month has the whole in-service month",
      {},
      [
        ["2027-01", 500],
        ["2027-02", 500],
        ["2027-03", 500],
      ],
    ],
  ];
  it.each(half)("%s", (_title, inputs, expected) => {
    const profile = profileWith({ cost: 1500, lifeMonths: 3, inServiceDate: "2027-01-20", ...inputs });
    expect(scheduleOf(profile).map(({ period, amount }) => [period, amount])).toEqual(expected);
  });

  it("half_year: half a year's amount in the first year, the rest over 6 months at the end", () => {
    const profile = profileWith({
      cost: 240_000,
      lifeMonths: 24,
      convention: "half_year",
      inServiceDate: "2027-09-10",
    });
    expect(yearsOf(profile)).toEqual([60_000, 120_000, 60_000]);
    expect(amountsOf(profile).slice(0, 5)).toEqual([15_000, 15_000, 15_000, 15_000, 10_000]);
    expect(scheduleOf(profile).at(-1)).toEqual({ period: "2029-06", amount: 10_000 });
  });

  const quarters: [string, number[], string][] = [
    ["2027-02-01", [92_400, 105_600, 13_200], "2029-02"],
    ["2027-05-01", [66_000, 105_600, 39_600], "2029-05"],
    ["2027-08-01", [39_600, 105_600, 66_000], "2029-08"],
    ["2027-11-01", [13_200, 105_600, 92_400], "2029-11"],
  ];
  it.each(quarters)("mid_quarter from %s", (inServiceDate, years, last) => {
    const profile = profileWith({ cost: 211_200, lifeMonths: 24, convention: "mid_quarter", inServiceDate });
    expect(yearsOf(profile)).toEqual(years);
    expect(scheduleOf(profile).at(-1)?.period).toBe(last);
  });

  it("a change spreads the remaining base over the remaining life (IAS 8, prospective)", () => {
    const profile = profileWith({}, { changes: [changeOf("2028-01-01", { lifeMonths: 60, salvage: 8000 })] });
    const amounts = amountsOf(profile);
    expect(amounts.slice(10, 14)).toEqual([3333, 3333, 1500, 1500]);
    expect(amounts).toHaveLength(60);
    expect(sum(amounts)).toBe(112_000);
  });

  it("a life that a change has ended gives everything at once", () => {
    const profile = profileWith({}, { changes: [changeOf("2028-01-01", { lifeMonths: 6 })] });
    expect(scheduleOf(profile).at(-1)).toEqual({ period: "2028-01", amount: 80_004 });
  });

  it("an impairment reduces the NBV before the charge of its month", () => {
    const change = changeOf("2028-01-01", {}, { amount: 8000, on: "2028-01-20" });
    const [before, impairment, charge] = scheduleOf(profileWith({}, { changes: [change] })).slice(11, 14);
    expect([before, impairment, charge]).toEqual([
      { period: "2027-12", amount: 3333 },
      { period: "2028-01", amount: 8000 },
      { period: "2028-01", amount: 3000 },
    ]);
  });

  it("an impairment before the in-service month is booked in its own month", () => {
    const change = changeOf("2027-01-01", {}, { amount: 12_000, on: "2027-01-10" });
    const profile = profileWith({ inServiceDate: "2027-04-01" }, { changes: [change] });
    const first = { period: "2027-01", amount: 12_000 };
    expect(scheduleOf(profile).slice(0, 2)).toEqual([first, { period: "2027-04", amount: 3000 }]);
    // A run of just that month has it, too, and the next run does not book it again.
    const { rows, carry } = postRun(profile, emptyCarry, "2027-01");
    expect(rows).toMatchObject([{ kind: "impairment", causeId: change.id, ...first }]);
    expect(postRun(profile, carry, "2027-04").rows).toMatchObject([{ kind: "charge", period: "2027-04" }]);
  });

  it("an impairment of a month that has its charge adds no second charge", () => {
    const change = changeOf("2027-02-01", {}, { amount: 3_400, on: "2027-02-10" });
    const { carry } = postRun(profileWith({}), emptyCarry, "2027-03");
    const { rows } = postRun(profileWith({}, { changes: [change] }), carry, "2027-04");
    expect(rows.map(({ kind, period, amount }) => [kind, period, amount])).toEqual([
      ["impairment", "2027-02", 3_400],
      // 1,200.00 - 100.00 - 34.00 are left for 33 months.
      ["charge", "2027-04", 3230],
    ]);
  });

  it("an impairment that is booked is not booked again beside a new one of its month", () => {
    const first = changeOf("2027-01-01", {}, { amount: 3000, on: "2027-01-10" });
    const second = changeOf("2027-01-01", {}, { amount: 2000, on: "2027-01-20" });
    const inputs = { inServiceDate: "2027-04-01" };
    const { carry } = postRun(profileWith(inputs, { changes: [first] }), emptyCarry, "2027-01");
    const { rows } = postRun(profileWith(inputs, { changes: [first, second] }), carry, "2027-02");
    expect(rows).toMatchObject([{ kind: "impairment", amount: 2000, causeId: second.id }]);
  });

  it("impairments are booked in the order of their days, in whatever order they were recorded", () => {
    const changes = ["2027-03-20", "2027-02-10", "2027-03-10"].map((on) =>
      changeOf("2027-02-01", {}, { amount: 1000, on }),
    );
    const { rows } = postRun(profileWith({}, { changes }), emptyCarry, "2027-03");
    const ids = rows.filter(({ kind }) => kind === "impairment").map(({ causeId }) => causeId);
    expect(ids).toEqual(["2027-02-10", "2027-03-10", "2027-03-20"].map((on) => `chg_2027-02-01_${on}`));
  });

  it("what the salvage has left after the end of the life can be impaired", () => {
    const changes = [
      changeOf("2027-08-01", {}, { amount: 5000, on: "2027-08-10" }),
      changeOf("2027-11-01", {}, { amount: 4000, on: "2027-11-10" }),
    ];
    const profile = profileWith({ salvage: 20_000, lifeMonths: 2 }, { changes });
    expect(scheduleOf(profile)).toEqual([
      { period: "2027-01", amount: 50_000 },
      { period: "2027-02", amount: 50_000 },
      { period: "2027-08", amount: 5000 },
      { period: "2027-11", amount: 4000 },
    ]);
  });

  it("a cost that rises after the end of the life is charged in the month of the change", () => {
    const changes = [changeOf("2027-05-01", { lifeMonths: 3 }), changeOf("2027-07-01", { cost: 150_000 })];
    expect(scheduleOf(profileWith({ lifeMonths: 2 }, { changes }))).toEqual([
      { period: "2027-01", amount: 60_000 },
      { period: "2027-02", amount: 60_000 },
      { period: "2027-07", amount: 30_000 },
    ]);
  });

  it("daily: a cost that rises when the life has ended with a month is charged in the next month", () => {
    const changes = [changeOf("2028-01-01", { cost: 40_000 })];
    const profile = profileWith({ cost: 36_500, lifeMonths: 12, convention: "daily" }, { changes });
    expect(scheduleOf(profile).slice(11)).toEqual([
      { period: "2027-12", amount: 3100 },
      { period: "2028-01", amount: 3500 },
    ]);
  });

  it("changes take effect in the order of their months, in whatever order they were recorded", () => {
    const changes = [changeOf("2027-03-01", { cost: 36_900 }), changeOf("2027-02-01", { cost: 36_350 })];
    // 350.00 more for 35 months, then 550.00 for 34.
    expect(amountsOf(profileWith({ cost: 36_000 }, { changes })).slice(0, 3)).toEqual([1000, 1010, 1026]);
  });

  it("before the first charge, a changed in-service date moves the first month", () => {
    const start = (from: string, to: string) =>
      scheduleOf(
        profileWith({ inServiceDate: from }, { changes: [changeOf("2027-01-01", { inServiceDate: to })] }),
      );
    expect(start("2027-01-01", "2027-04-01")[0]).toEqual({ period: "2027-04", amount: 3333 });
    expect(start("2027-04-01", "2027-01-01")[0]).toEqual({ period: "2027-01", amount: 3333 });
  });

  it("a time held for sale that begins later leaves the months before it", () => {
    const held = { cost: 36_000, heldForSaleOn: "2027-04-10" };
    expect(amountsOf(profileWith(held))).toEqual([1000, 1000, 1000]);
    expect(amountsOf(profileWith({ ...held, convention: "next_month" }))).toEqual([1000, 1000, 1000]);
    expect(amountsOf(profileWith({ ...held, convention: "mid_month" }))).toEqual([500, 1000, 1000, 500]);
  });

  it("a time held for sale has no charge and does not move the end of the life", () => {
    const changes = [
      changeOf("2027-06-01", { heldForSaleOn: "2027-06-10" }),
      changeOf("2028-01-01", {}, undefined, ["heldForSaleOn"]),
    ];
    const schedule = scheduleOf(profileWith({ cost: 36_000 }, { changes }));
    expect(schedule.slice(4, 6)).toEqual([
      { period: "2027-05", amount: 1000 },
      { period: "2028-01", amount: 1292 },
    ]);
    expect(schedule.at(-1)?.period).toBe("2029-12");
    expect(sum(schedule.map(({ amount }) => amount))).toBe(36_000);
  });
});

describe("an opening", () => {
  it("counts from opening_on, in the middle of a month as a first month does", () => {
    const opening = { cost: 36_000, openingAccumulated: 12_500, openingOn: "2028-01-16" };
    expect(amountsOf(profileWith({ ...opening, convention: "full_month" }))[0]).toBe(979);
    expect(amountsOf(profileWith({ ...opening, convention: "mid_month" })).slice(0, 2)).toEqual([490, 979]);
    expect(scheduleOf(profileWith({ ...opening, convention: "next_month" }))[0]?.period).toBe("2028-02");
    expect(amountsOf(profileWith({ ...opening, convention: "daily" }))[0]).toBe(525);
  });

  it("on the first day of a month begins a whole month", () => {
    const opening = { cost: 36_000, openingAccumulated: 12_000, openingOn: "2028-01-01" };
    expect(amountsOf(profileWith({ ...opening, convention: "next_month" }))[0]).toBe(960);
    expect(scheduleOf(profileWith({ ...opening, convention: "next_month" }))[0]?.period).toBe("2028-01");
  });

  it("on the in-service date leaves the first month of the convention", () => {
    const opening = { cost: 36_000, openingAccumulated: 3600, openingOn: "2027-01-01" };
    expect(scheduleOf(profileWith({ ...opening, convention: "next_month" }))[0]).toEqual({
      period: "2027-02",
      amount: 900,
    });
  });

  it("in the in-service month, with next_month, begins in the month after", () => {
    const inputs = { convention: "next_month", inServiceDate: "2027-01-05" } as const;
    const opening = { ...inputs, cost: 36_000, openingAccumulated: 3600, openingOn: "2027-01-20" };
    expect(scheduleOf(profileWith(opening))[0]).toEqual({ period: "2027-02", amount: 900 });
  });

  it("after the end of the life gives one line with everything", () => {
    const profile = profileWith({ openingAccumulated: 20_000, openingOn: "2031-05-01" });
    expect(scheduleOf(profile)).toEqual([{ period: "2031-05", amount: 100_000 }]);
  });
});

describe("sum of years' digits", () => {
  it("base 30,000 over 5 years: 10,000, 8,000, 6,000, 4,000, 2,000 (finance.md)", () => {
    const profile = profileWith({ method: "sum_of_years_digits", cost: 3_000_000, lifeMonths: 60 });
    expect(yearsOf(profile)).toEqual([1_000_000, 800_000, 600_000, 400_000, 200_000]);
  });

  it("Microsoft's example SYD(30000, 7500, 10, 1) = 4,090.91 and SYD(.., 10) = 409.09", () => {
    const profile = profileWith({
      method: "sum_of_years_digits",
      cost: 3_000_000,
      salvage: 750_000,
      lifeMonths: 120,
    });
    const years = yearsOf(profile);
    expect([years[0], years[9]]).toEqual([409_091, 40_909]);
    expect(sum(years)).toBe(2_250_000);
  });

  it("years of life count from the in-service month, with half a month of two years in mid_month", () => {
    const inputs = {
      method: "sum_of_years_digits",
      cost: 7200,
      lifeMonths: 24,
      inServiceDate: "2027-04-10",
    } as const;
    expect(yearsOf(profileWith(inputs), 4)).toEqual([4800, 2400]);
    const middle = amountsOf(profileWith({ ...inputs, convention: "mid_month" }));
    expect([middle[0], middle[11], middle[12], middle[13], middle[24]]).toEqual([200, 400, 300, 200, 100]);
    expect(sum(middle)).toBe(7200);
  });

  it("with half_year each fiscal year has halves of two years of life", () => {
    const profile = profileWith({
      method: "sum_of_years_digits",
      cost: 72_000,
      lifeMonths: 36,
      convention: "half_year",
    });
    expect(yearsOf(profile)).toEqual([18_000, 30_000, 18_000, 6000]);
  });

  it("daily: each year of life is shared by its days", () => {
    const profile = profileWith({
      ...{ method: "sum_of_years_digits", convention: "daily", cost: 109_500, lifeMonths: 24 },
    });
    // 730.00 for 365 days, then 365.00 for the 366 of 2028.
    expect(yearsOf(profile)).toEqual([73_000, 36_500]);
    expect(amountsOf(profile).slice(0, 2)).toEqual([6200, 5600]);
  });

  it("the last year takes the rest of the rounding", () => {
    // 4,000.044, 3,000.033, 2,000.022 and 1,000.011
    const profile = profileWith({ method: "sum_of_years_digits", cost: 1_000_011, lifeMonths: 48 });
    expect(yearsOf(profile)).toEqual([400_004, 300_003, 200_002, 100_002]);
    expect(scheduleOf(profile).at(-1)?.period).toBe("2030-12");
  });

  it("a change in the middle of a later year keeps the digits of the years", () => {
    const profile = profileWith(
      { method: "sum_of_years_digits", cost: 3_600_000, lifeMonths: 60 },
      { changes: [changeOf("2028-07-01", { cost: 4_000_000 })] },
    );
    // 4/15 of 36,000 for half a year, then 23,200 by 2, 3, 2, 1 of 8.
    expect(yearsOf(profile)).toEqual([1_200_000, 480_000 + 580_000, 870_000, 580_000, 290_000]);
  });

  it("a change in the middle of a year keeps the digits of the years", () => {
    const profile = profileWith(
      { method: "sum_of_years_digits", cost: 3_600_000, lifeMonths: 60 },
      { changes: [changeOf("2027-07-01", { cost: 4_350_000 })] },
    );
    // 5/15 of 36,000 for half a year, then 37,500 by 2.5, 4, 3, 2, 1 of 12.5.
    expect(yearsOf(profile)).toEqual([600_000 + 750_000, 1_200_000, 900_000, 600_000, 300_000]);
  });
});
