import { describe, expect, it } from "vitest";
import { amountsOf, changeOf, profileWith, scheduleOf, sum, yearsOf } from "../../../test/schedules.ts";
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

  it("a change in the middle of a year keeps the digits of the years", () => {
    const profile = profileWith(
      { method: "sum_of_years_digits", cost: 3_600_000, lifeMonths: 60 },
      { changes: [changeOf("2027-07-01", { cost: 4_350_000 })] },
    );
    // 5/15 of 36,000 for half a year, then 37,500 by 2.5, 4, 3, 2, 1 of 12.5.
    expect(yearsOf(profile)).toEqual([600_000 + 750_000, 1_200_000, 900_000, 600_000, 300_000]);
  });
});
