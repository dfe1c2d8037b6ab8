import { describe, expect, it } from "vitest";
import { completeInputs, knownInputs, seedInputs } from "./complete-inputs.ts";

describe("the inputs of a new profile", () => {
  it("get defaults: the convention by method, factor 2 with a switch, the opening from the present month", () => {
    const given = { cost: 1000, lifeMonths: 24, inServiceDate: "2026-01-10" } as const;
    expect(completeInputs({ ...given, method: "declining_balance" }, "2027-03").inputs).toMatchObject({
      ...{ convention: "full_month", factor: 2, switchToSl: true, salvage: 0, openingAccumulated: 0 },
    });
    expect(
      completeInputs({ ...given, method: "declining_balance", rate: 20 }, "2027-03").inputs,
    ).toMatchObject({ switchToSl: false });
    expect(
      completeInputs({ ...given, method: "macrs", macrsClass: "39y" }, "2027-03").inputs?.convention,
    ).toBe("mid_month");
    const opened = { ...given, method: "straight_line", openingAccumulated: 5 } as const;
    expect(completeInputs(opened, "2027-03").inputs?.openingOn).toBe("2027-03-01");
    expect(completeInputs({ ...opened, inServiceDate: "2027-05-20" }, "2027-03").inputs?.openingOn).toBe(
      "2027-05-20",
    );
    expect(completeInputs({ cost: 5 }, "2027-03").violations?.map(({ field }) => field)).toEqual([
      "method",
      "in_service_date",
    ]);
  });

  it("need a method, a cost and an in-service date", () => {
    const all = { method: "straight_line", cost: 1000, lifeMonths: 24, inServiceDate: "2026-01-10" } as const;
    const missing = (field: keyof typeof all) =>
      completeInputs({ ...all, [field]: undefined }, "2027-03").violations;
    expect(missing("method")).toEqual([{ field: "method", message: "is required" }]);
    expect(missing("cost")).toEqual([{ field: "cost", message: "is required" }]);
    expect(missing("inServiceDate")).toEqual([{ field: "in_service_date", message: "is required" }]);
  });

  it("switch to straight line by default only with the default factor", () => {
    const given = {
      method: "declining_balance",
      cost: 1000,
      lifeMonths: 24,
      inServiceDate: "2026-01-10",
    } as const;
    expect(completeInputs({ ...given, factor: 1.5 }, "2027-03").inputs).toMatchObject({
      factor: 1.5,
      switchToSl: false,
    });
  });

  it("are not seeded while one of cost, life, in-service date and method is unknown, or for units of production", () => {
    const asset = {
      ...{ cost: 10_000, inServiceDate: "2027-01-05", usefulLifeMonths: 36 },
      depreciationMethod: "straight_line",
    } as const;
    expect(seedInputs(asset, undefined, "2027-01")?.inputs).toMatchObject({ cost: 10_000 });
    for (const field of Object.keys(asset)) {
      expect(
        seedInputs({ ...asset, [field]: undefined }, { salvagePercent: 10 }, "2027-01"),
        field,
      ).toBeUndefined();
    }
    const byUnits = { ...asset, depreciationMethod: "units_of_production" } as const;
    expect(seedInputs(byUnits, undefined, "2027-01")).toBeUndefined();
  });

  it("take the category's convention, but for an asset by macrs only that of a category by macrs", () => {
    const conventionOf = (method: "macrs" | "straight_line", category?: Parameters<typeof knownInputs>[1]) =>
      knownInputs({ cost: 1, depreciationMethod: method }, category).convention;
    const daily = { method: "straight_line", convention: "daily" } as const;
    expect(conventionOf("straight_line", daily)).toBe("daily");
    expect(conventionOf("macrs", daily)).toBeUndefined();
    expect(conventionOf("macrs")).toBeUndefined();
    expect(conventionOf("macrs", { method: "macrs", convention: "mid_quarter" })).toBe("mid_quarter");
  });

  it("are seeded once cost, life, in-service date and method are known, with what the category gives", () => {
    const asset = { cost: 10_005, inServiceDate: "2027-01-05" };
    const category = {
      method: "straight_line",
      usefulLifeMonths: 36,
      salvagePercent: 10,
      convention: "daily",
    } as const;
    expect(seedInputs(asset, undefined, "2027-01")).toBeUndefined();
    expect(seedInputs(asset, category, "2027-01")?.inputs).toMatchObject({
      salvage: 1001,
      lifeMonths: 36,
      convention: "daily",
    });
    expect(seedInputs({ ...asset, salvageValue: 7 }, category, "2027-01")?.inputs?.salvage).toBe(7);
    expect(seedInputs(asset, { ...category, method: "macrs" }, "2027-01")).toBeUndefined();
    expect(seedInputs({ ...asset, salvageValue: 20_000 }, category, "2027-01")?.violations).toHaveLength(1);
  });
});
