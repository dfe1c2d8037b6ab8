import { describe, expect, it, test } from "vitest";
import { amountsOf, changeOf, profileWith, scheduleOf, sum, yearsOf } from "../../../../test/schedules.ts";
import { type MacrsClass, macrsClasses } from "../../profiles/profile.ts";
import { computedTable, macrsTable } from "./macrs-tables.ts";

const macrs = { method: "macrs", convention: "half_year", lifeMonths: undefined } as const;
const quarterMonth = (quarter: number) => `2027-${String(quarter * 3 - 1).padStart(2, "0")}`;
const tabled = macrsClasses.filter((one) => one !== "39y");

describe("the tables of IRS Publication 946", () => {
  test.each(tabled)("%s, half-year (A-1): the formula gives the printed column", (macrsClass) => {
    expect(computedTable(macrsClass, "half_year")).toEqual(macrsTable(macrsClass, "half_year", "2027-01", 1));
  });

  test.each(["3y", "5y", "7y"] as const)(
    "%s, mid-quarter (A-2 to A-5): so it does, but for 7y in Q2",
    (macrsClass) => {
      for (const quarter of [1, 2, 3, 4]) {
        const printed = macrsTable(macrsClass, "mid_quarter", quarterMonth(quarter), 1).percentages;
        const computed = [...computedTable(macrsClass, quarter).percentages];
        if (macrsClass === "7y" && quarter === 2) {
          expect([computed[0], computed[7]]).toEqual([1786, 333]);
          [computed[0], computed[7]] = [1785, 334];
        }
        expect(computed).toEqual(printed);
      }
    },
  );

  test("10y, 15y and 20y, mid-quarter: the first and last percentages of A-2 and A-5", () => {
    const ends = (macrsClass: MacrsClass, quarter: number) => {
      const { percentages, scale } = macrsTable(macrsClass, "mid_quarter", quarterMonth(quarter), 1);
      return [percentages[0], percentages[1], percentages.at(-1)].map((percent = 0) => percent / scale);
    };
    expect(ends("10y", 1)).toEqual([17.5, 16.5, 0.82]);
    expect(ends("15y", 1)).toEqual([8.75, 9.13, 0.74]);
    expect(ends("20y", 1)).toEqual([6.563, 7.008, 0.557]);
    expect(ends("10y", 4)).toEqual([2.5, 19.5, 5.74]);
    expect(ends("15y", 4)).toEqual([1.25, 9.88, 5.17]);
    expect(ends("20y", 4)).toEqual([0.938, 7.43, 3.901]);
  });

  test("every column sums to 100 %", () => {
    for (const macrsClass of macrsClasses) {
      for (let month = 1; month <= 12; month++) {
        const period = `2027-${String(month).padStart(2, "0")}`;
        for (const convention of ["half_year", "mid_quarter"] as const) {
          const { percentages, scale } = macrsTable(macrsClass, convention, period, 1);
          expect(sum(percentages)).toBe(100 * scale);
        }
      }
    }
  });
});

describe("MACRS", () => {
  it("each year is its percentage of the cost, whatever the salvage", () => {
    const profile = profileWith({
      ...macrs,
      macrsClass: "5y",
      cost: 1_000_000,
      salvage: 100_000,
      inServiceDate: "2027-11-20",
    });
    expect(yearsOf(profile)).toEqual([200_000, 320_000, 192_000, 115_200, 115_200, 57_600]);
    const schedule = scheduleOf(profile);
    expect(schedule[0]).toEqual({ period: "2027-11", amount: 100_000 });
    expect(schedule.at(-1)).toEqual({ period: "2032-06", amount: 9600 });
  });

  it("quarters and years are those of the fiscal year", () => {
    const inputs = { ...macrs, macrsClass: "3y", convention: "mid_quarter", cost: 1_000_000 } as const;
    const profile = profileWith({ ...inputs, inServiceDate: "2027-10-05" }, { fiscalYearStart: 10 });
    expect(yearsOf(profile, 10)).toEqual([583_300, 277_800, 123_500, 15_400]);
    expect(scheduleOf(profile).at(-1)?.period).toBe("2030-11");
  });

  it("39y: table A-7a for August, half a month at both ends", () => {
    const inputs = { ...macrs, macrsClass: "39y", convention: "mid_month", cost: 100_000_000 } as const;
    const profile = profileWith({ ...inputs, inServiceDate: "2027-08-09" });
    const years = yearsOf(profile);
    expect(years).toHaveLength(40);
    expect([years[0], years[1], years[38], years[39]]).toEqual([963_000, 2_564_000, 2_564_000, 1_605_000]);
    expect(sum(years)).toBe(100_000_000);
    const amounts = amountsOf(profile);
    expect([amounts[0], amounts[1]]).toEqual([107_000, 214_000]);
    expect(scheduleOf(profile).at(-1)?.period).toBe("2066-08");
  });

  it("a profile whose opening follows the table continues with the table", () => {
    const inputs = { ...macrs, macrsClass: "5y", cost: 1_000_000 } as const;
    const profile = profileWith({ ...inputs, openingAccumulated: 520_000, openingOn: "2029-01-01" });
    expect(yearsOf(profile)).toEqual([192_000, 115_200, 115_200, 57_600]);
  });

  it("bonus depreciation in the opening leaves the table of the reduced basis", () => {
    const inputs = { ...macrs, macrsClass: "5y", cost: 1_000_000 } as const;
    const profile = profileWith({ ...inputs, openingAccumulated: 600_000, openingOn: "2027-01-01" });
    expect(yearsOf(profile)).toEqual([80_000, 128_000, 76_800, 46_080, 46_080, 23_040]);
  });

  it("a changed cost changes the percentages that are left", () => {
    const inputs = { ...macrs, macrsClass: "3y", cost: 1_000_000 } as const;
    const profile = profileWith(inputs, { changes: [changeOf("2028-01-01", { cost: 1_666_700 })] });
    // 3,333 are charged; 13,334 are left for 44.45, 14.81 and 7.41 of 66.67 %.
    expect(yearsOf(profile)).toEqual([333_300, 889_000, 296_200, 148_200]);
  });
});
