import { describe, expect, it, test } from "vitest";
import { amountsOf, changeOf, postRun, profileWith } from "../../../test/schedules.ts";
import { type Carry, emptyCarry } from "../ledger/ledger.ts";
import type { Profile, ProfileInputs } from "../profiles/profile.ts";
import { chargeUntil, disposalCharge } from "./charge.ts";
import type { UnitsByMonth } from "./line.ts";
import { timelineOf } from "./timeline.ts";

/** The charge of the month of a disposal after a run up to `posted`. */
function disposalAfter(
  profile: Profile,
  posted: string | undefined,
  date: string,
  units?: UnitsByMonth,
): number {
  const carry: Carry = posted === undefined ? emptyCarry : postRun(profile, emptyCarry, posted).carry;
  return disposalCharge(timelineOf(profile), carry, date, units);
}

// 10.00 a month.
const straight = { cost: 36_000 } as const;

describe("the month in which the charge stops", () => {
  const cases: [string, Partial<ProfileInputs>, posted: string | undefined, date: string, number][] = [
    ["mid_month, in the first month: nothing", { convention: "mid_month" }, undefined, "2027-01-20", 0],
    [
      "mid_month, in the last half month: the rest",
      { convention: "mid_month" },
      "2029-12",
      "2030-01-20",
      500,
    ],
    [
      "mid_month, in the whole month of an opening: a half",
      { convention: "mid_month", openingAccumulated: 11_500, openingOn: "2028-01-01" },
      undefined,
      "2028-01-20",
      500,
    ],
    [
      "daily, in the first month: the days since the in-service date",
      { convention: "daily", cost: 109_600, inServiceDate: "2027-01-11" },
      undefined,
      "2027-01-20",
      900,
    ],
    [
      "daily, in the month of an opening: the days since the opening",
      // 715 days are left of 1096.
      { convention: "daily", cost: 109_600, openingAccumulated: 38_100, openingOn: "2028-01-17" },
      undefined,
      "2028-01-27",
      1000,
    ],
    ["full_month, in the month of a charge: nothing", {}, "2027-04", "2027-05-20", 0],
  ];
  it.each(cases)("%s", (_title, inputs, posted, date, amount) => {
    expect(disposalAfter(profileWith({ ...straight, ...inputs }), posted, date)).toBe(amount);
  });

  it("a disposal after the day held for sale charges nothing more, also by next_month", () => {
    const profile = profileWith({ ...straight, convention: "next_month", heldForSaleOn: "2027-03-10" });
    expect(disposalAfter(profile, "2027-05", "2027-06-10")).toBe(0);
  });

  it("a day held for sale is the end of the charge, also if the disposal is later in its month", () => {
    const profile = profileWith({ convention: "daily", cost: 109_600, heldForSaleOn: "2027-03-11" });
    expect(disposalAfter(profile, "2027-02", "2027-03-25")).toBe(1000);
  });

  describe("held for sale by a convention of years", () => {
    // 24.00 a year, 12.00 for the first year and for the one of the stop.
    const halfYear = {
      convention: "half_year",
      cost: 12_000,
      lifeMonths: 60,
      inServiceDate: "2027-01-01",
    } as const;
    const held = (heldForSaleOn: string) => profileWith({ ...halfYear, heldForSaleOn });

    it.each(["2028-11-20", "2028-12-10"])(
      "what the year has too much is taken back by a disposal on %s",
      (date) => {
        // 10 months of 2.00.
        expect(disposalAfter(held("2028-11-12"), "2028-11", date)).toBe(1_200 - 2_000);
      },
    );

    it("nothing is taken back if the run of that month has charged what the year lacked", () => {
      // 2 months of 2.00, then 8.00.
      expect(disposalAfter(held("2028-03-12"), "2028-03", "2028-12-10")).toBe(0);
    });

    it("nothing is taken back from the year before the disposal", () => {
      expect(disposalAfter(held("2028-11-12"), "2029-01", "2029-02-10")).toBe(0);
    });

    it("nothing is charged if the stop was by another convention, or before an opening", () => {
      const toHalfYear = changeOf("2028-06-01", { convention: "half_year" });
      const byMonth = { ...halfYear, convention: "full_month", heldForSaleOn: "2028-03-12" } as const;
      expect(disposalAfter(profileWith(byMonth, { changes: [toHalfYear] }), "2028-07", "2028-08-10")).toBe(0);
      const opening = { openingAccumulated: 2_000, openingOn: "2028-06-01" };
      const opened = profileWith({ ...halfYear, ...opening, heldForSaleOn: "2028-03-12" });
      expect(disposalAfter(opened, undefined, "2028-08-10")).toBe(0);
    });

    it("all of the year is taken back if the asset was put in service in it", () => {
      // 4 months of 1.00.
      expect(disposalAfter(held("2027-05-12"), "2027-05", "2027-08-10")).toBe(-400);
    });
  });

  it("manual: the NBV stays as it is, whatever was charged before in the year", () => {
    const toManual = changeOf("2028-04-01", { method: "manual" });
    for (const convention of ["half_year", "next_month"] as const) {
      const profile = profileWith({ ...straight, convention }, { changes: [toManual] });
      expect(disposalAfter(profile, "2028-05", "2028-06-10")).toBe(0);
    }
  });

  it("units of production: what was used until the end of the month, whatever the convention", () => {
    const inputs = { method: "units_of_production", totalUnits: 100, cost: 10_000 } as const;
    const units = new Map([["2027-02", 30_000]]);
    const profile = profileWith({ ...inputs, inServiceDate: "2026-02-01", convention: "half_year" });
    expect(disposalAfter(profile, undefined, "2027-02-10", units)).toBe(3000);
  });
});

describe("the year in which the charge stops", () => {
  const halfYear = { cost: 240_000, lifeMonths: 24, convention: "half_year" } as const;
  const declining = {
    method: "declining_balance",
    factor: 2,
    convention: "half_year",
    cost: 1_500_000,
    lifeMonths: 60,
  } as const;

  // 1,056.00 a year, 88.00 a month.
  const quarters = {
    cost: 211_200,
    lifeMonths: 24,
    convention: "mid_quarter",
    inServiceDate: "2027-02-01",
  } as const;

  it("straight line with mid_quarter has 12.5, 37.5, 62.5 or 87.5 % of the year", () => {
    const profile = profileWith(quarters);
    expect(disposalAfter(profile, "2028-01", "2028-02-10")).toBe(13_200 - 8800);
    expect(disposalAfter(profile, "2028-04", "2028-05-10")).toBe(39_600 - 4 * 8800);
    expect(disposalAfter(profile, "2028-06", "2028-07-10")).toBe(66_000 - 6 * 8800);
    expect(disposalAfter(profile, "2028-11", "2028-12-10")).toBe(92_400 - 11 * 8800);
  });

  it("in service and held for sale in one year has no line from that day on", () => {
    const profile = profileWith({ ...halfYear, heldForSaleOn: "2027-03-10" });
    expect(amountsOf(profile)).toEqual([5000, 5000]);
    expect(chargeUntil(timelineOf(profile), emptyCarry, "2027-03-10")).toBeUndefined();
  });

  it("an opening in the year has the part of the year less what was charged before it", () => {
    const opening = (openingOn: string, months: number) =>
      profileWith({ ...quarters, openingAccumulated: 92_400 + months * 8800, openingOn });
    const july = opening("2028-07-01", 6);
    expect(disposalAfter(july, "2028-07", "2028-08-10")).toBe(66_000 - 7 * 8800);
    expect(disposalAfter(july, "2028-10", "2028-11-10")).toBe(92_400 - 10 * 8800);
    expect(disposalAfter(opening("2028-05-01", 4), undefined, "2028-05-10")).toBe(39_600 - 4 * 8800);
    // More than the part of the year was charged before the opening. That is not given back.
    expect(disposalAfter(opening("2028-06-01", 5), undefined, "2028-06-10")).toBe(0);
  });

  it("in the last year of a life, an opening after its last month charges the rest", () => {
    // The life ends in June 2029.
    const profile = profileWith({ ...halfYear, openingAccumulated: 200_000, openingOn: "2029-09-01" });
    expect(disposalAfter(profile, undefined, "2029-09-10")).toBe(40_000);
  });

  it("after the end of the life the year of the rest has its fraction, too", () => {
    const raised = changeOf("2031-03-01", { cost: 250_000 });
    const profile = profileWith(halfYear, { changes: [raised] });
    expect(disposalAfter(profile, "2031-02", "2031-03-10")).toBe(5000);
  });

  it("counts a change of its month, and not one of a later month", () => {
    // 40 % of 12,000.00 are 4,800.00 in 2028, of which 1,200.00 are charged until March.
    const later = profileWith(declining, { changes: [changeOf("2028-09-01", { cost: 1_740_000 })] });
    expect(disposalAfter(later, "2028-03", "2028-04-10")).toBe(240_000 - 120_000);
    // 40 % of 10,800.00 + 2,400.00 for 9 months are 3,960.00.
    const now = profileWith(declining, { changes: [changeOf("2028-04-01", { cost: 1_740_000 })] });
    expect(disposalAfter(now, "2028-03", "2028-04-10")).toBe((120_000 + 396_000) / 2 - 120_000);
  });
});

test("MACRS in the month of a changed cost gives its fraction of the changed year", () => {
  const profile = profileWith(
    { method: "macrs", macrsClass: "3y", convention: "half_year", lifeMonths: undefined, cost: 1_000_000 },
    { changes: [changeOf("2028-01-01", { cost: 1_666_700 })] },
  );
  // 44.45 of the 66.67 % that are left, of 13,334.00: 8,890.00.
  expect(disposalAfter(profile, "2027-12", "2028-01-10")).toBe(444_500);
});
