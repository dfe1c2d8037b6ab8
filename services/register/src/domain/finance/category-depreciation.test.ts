import { describe, expect, it } from "vitest";
import { compactDepreciation, depreciationViolations } from "./category-depreciation.ts";

describe("the depreciation of a category", () => {
  it("macrs has conventions of its own, or none; all other methods have any", () => {
    const fields = (convention?: "half_year" | "mid_quarter" | "mid_month" | "daily") =>
      depreciationViolations({ method: "macrs", convention }).map(({ field }) => field);
    expect([fields(), fields("half_year"), fields("mid_quarter"), fields("mid_month")]).toEqual([
      [],
      [],
      [],
      [],
    ]);
    expect(fields("daily")).toEqual(["depreciation.convention"]);
    expect(depreciationViolations({ method: "straight_line", convention: "daily" })).toEqual([]);
    expect(depreciationViolations()).toEqual([]);
  });

  it("without any field it is none", () => {
    expect(compactDepreciation({ method: undefined })).toBeUndefined();
    expect(compactDepreciation(undefined)).toBeUndefined();
    expect(compactDepreciation({ method: undefined, salvagePercent: 0 })).toEqual({ salvagePercent: 0 });
  });
});
