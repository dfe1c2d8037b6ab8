import { describe, expect, it } from "vitest";
import { amountsOf, changeOf, profileWith, scheduleOf, sum, yearsOf } from "../../../../test/schedules.ts";

const declining = { method: "declining_balance", factor: 2, salvage: 0 } as const;

describe("declining balance", () => {
  it("Microsoft's examples of DDB(2400, 300, 10, ..): year 1 480.00, year 10 22.12, and 306.00 for factor 1.5 in year 2", () => {
    const years = yearsOf(profileWith({ ...declining, cost: 240_000, salvage: 30_000, lifeMonths: 120 }));
    expect([years[0], years[9]]).toEqual([48_000, 2212]);
    const slower = { ...declining, factor: 1.5, cost: 240_000, salvage: 30_000, lifeMonths: 120 };
    expect(yearsOf(profileWith(slower))[1]).toBe(30_600);
  });

  it("Business Central's Declining-Balance 1: cost 100,000.00 at 25 % is 25,000.00, 18,750.00, 14,062.50, 10,546.88", () => {
    const profile = profileWith({ method: "declining_balance", rate: 25, cost: 10_000_000, lifeMonths: 120 });
    expect(yearsOf(profile).slice(0, 4)).toEqual([2_500_000, 1_875_000, 1_406_250, 1_054_688]);
  });

  it("switches to straight line in the first year in which that is not less (DB1/SL)", () => {
    const profile = profileWith({ ...declining, switchToSl: true, cost: 1_000_000, lifeMonths: 60 });
    expect(yearsOf(profile)).toEqual([400_000, 240_000, 144_000, 108_000, 108_000]);
  });

  it("without a switch the last year takes what is left", () => {
    const years = yearsOf(profileWith({ ...declining, cost: 1_000_000, lifeMonths: 60 }));
    expect(years).toEqual([400_000, 240_000, 144_000, 86_400, 129_600]);
  });

  it("never goes below the salvage, and has no line after it", () => {
    const profile = profileWith({ ...declining, cost: 1_000_000, salvage: 500_000, lifeMonths: 60 });
    expect(yearsOf(profile)).toEqual([400_000, 100_000]);
    expect(scheduleOf(profile).at(-1)?.period).toBe("2028-12");
  });

  it("a first part year has its amount in proportion, of the fiscal year", () => {
    const inputs = {
      ...declining,
      switchToSl: true,
      cost: 1_000_000,
      lifeMonths: 60,
      inServiceDate: "2027-08-01",
    };
    // 2,520.00 are left for 27 months after the third year: 1,120.00 a year is more than 40 %.
    const years = [300_000, 280_000, 168_000, 112_000, 112_000, 28_000];
    expect(yearsOf(profileWith(inputs, { fiscalYearStart: 5 }), 5)).toEqual(years);
  });

  it("with half_year the first year has half of its amount", () => {
    const inputs = { ...declining, convention: "half_year", cost: 1_000_000, lifeMonths: 60 } as const;
    expect(yearsOf(profileWith({ ...inputs, switchToSl: true }))).toEqual([
      200_000, 320_000, 192_000, 115_200, 115_200, 57_600,
    ]);
  });

  it("daily: a part year counts its days of those of the fiscal year", () => {
    const inputs = {
      ...declining,
      convention: "daily",
      cost: 366_000,
      lifeMonths: 60,
      inServiceDate: "2028-12-02",
    } as const;
    expect(amountsOf(profileWith(inputs))[0]).toBe(12_000);
  });

  it("a change takes effect on the rest of the year", () => {
    const profile = profileWith(
      { ...declining, cost: 1_200_000, lifeMonths: 120 },
      { changes: [changeOf("2027-07-01", { cost: 1_320_000 })] },
    );
    const amounts = amountsOf(profile);
    // 20 % of 12,000 for half a year, then 20 % of 12,000 again: 1,200 are charged, 1,200 are added.
    expect([amounts[0], amounts[5], amounts[6], amounts[11]]).toEqual([20_000, 20_000, 20_000, 20_000]);
    expect(sum(amounts)).toBe(1_320_000);
    // The next year has 20 % of the 10,800 that are left.
    expect(amounts[12]).toBe(18_000);
  });

  it("an impairment reduces the rest of the year from its month on", () => {
    const change = changeOf("2027-02-01", {}, { amount: 80_000, on: "2027-02-20" });
    const profile = profileWith({ ...declining, cost: 1_200_000, lifeMonths: 120 }, { changes: [change] });
    // 20 % of 11,000.00 for 11 months, after a January of 200.00.
    expect(amountsOf(profile).slice(0, 3)).toEqual([20_000, 80_000, 18_333]);
  });

  it("a day held for sale, set or moved before it comes, leaves the charges before it as they are", () => {
    const profile = (...changes: ReturnType<typeof changeOf>[]) =>
      profileWith({ ...declining, cost: 1_200_000, lifeMonths: 120 }, { changes });
    const june = changeOf("2027-04-01", { heldForSaleOn: "2027-06-10" });
    expect(amountsOf(profile(june))).toEqual(Array(5).fill(20_000));
    const august = changeOf("2027-05-01", { heldForSaleOn: "2027-08-01" });
    expect(amountsOf(profile(june, august))).toEqual(Array(7).fill(20_000));
    const may = changeOf("2027-04-01", { heldForSaleOn: "2027-05-01" });
    expect(amountsOf(profile(may, august))).toEqual(Array(7).fill(20_000));
  });

  it("a changed cost counts from its month, also with a day held for sale in the same change", () => {
    const change = changeOf("2027-04-01", { cost: 1_320_000, heldForSaleOn: "2027-06-10" });
    const profile = profileWith({ ...declining, cost: 1_200_000, lifeMonths: 120 }, { changes: [change] });
    // 20 % of 12,600 for 9 months.
    expect(amountsOf(profile)).toEqual([20_000, 20_000, 20_000, 21_000, 21_000]);
  });

  it("after a time held for sale the year has its months in charge only", () => {
    const changes = [
      changeOf("2027-04-01", { heldForSaleOn: "2027-04-01" }),
      changeOf("2027-10-01", {}, undefined, ["heldForSaleOn"]),
    ];
    const schedule = scheduleOf(profileWith({ ...declining, cost: 1_200_000, lifeMonths: 120 }, { changes }));
    expect(schedule.slice(2, 4)).toEqual([
      { period: "2027-03", amount: 20_000 },
      { period: "2027-10", amount: 19_000 },
    ]);
  });
});
