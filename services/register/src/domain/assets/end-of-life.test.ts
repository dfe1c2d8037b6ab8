import { localDate } from "@asset-register/runtime";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { at, by, testAsset, thrownCode } from "../../../test/test-asset.ts";
import { assertCanDelete } from "./deletion.ts";
import { assertCanDispose, disposalChanges, disposalDate, problemOfProceeds } from "./disposal-rules.ts";
import type { Status } from "./status.ts";
import { planStatusChange } from "./status-change.ts";

const disposal = { at, date: "2026-03-01", method: "sold", proceeds: 950, by } as const;
const issued = testAsset({ openCheckoutId: "chk_1" });
const gone = testAsset({ disposed: disposal });

describe("a disposal", () => {
  it("a disposed asset and one that is checked out are refused", () => {
    expect(thrownCode(() => assertCanDispose(gone))).toBe("ASSET_DISPOSED");
    expect(thrownCode(() => assertCanDispose(issued))).toBe("ASSET_CHECKED_OUT");
    expect(thrownCode(() => assertCanDispose(testAsset()))).toBeUndefined();
  });

  it("proceeds are required when it is paid, and otherwise absent or 0", () => {
    for (const method of ["sold", "transferred"] as const) {
      expect(problemOfProceeds(method, undefined)).toBe(`is required for ${method}`);
      expect(problemOfProceeds(method, 0)).toBeUndefined();
      expect(problemOfProceeds(method, 1)).toBeUndefined();
    }
    for (const method of ["scrapped", "donated", "lost"] as const) {
      expect(problemOfProceeds(method, undefined)).toBeUndefined();
      expect(problemOfProceeds(method, 0)).toBeUndefined();
      expect(problemOfProceeds(method, 1)).toBe(`must be absent or 0 for ${method}`);
    }
  });

  it("its date is from the in-service date to today, today by default", () => {
    const used = testAsset({ inServiceDate: "2026-01-31" });
    expect(disposalDate(used, undefined, "2026-03-01")).toBe("2026-03-01");
    expect(disposalDate(used, "2026-01-31", "2026-03-01")).toBe("2026-01-31");
    expect(thrownCode(() => disposalDate(used, "2026-01-30", "2026-03-01"))).toBe("VALIDATION_FAILED");
    expect(thrownCode(() => disposalDate(used, "2026-03-02", "2026-03-01"))).toBe("VALIDATION_FAILED");
  });

  it("its changes have amounts in major units", () => {
    expect(disposalChanges(disposal, "EUR")).toEqual([
      { field: "disposed.date", after: "2026-03-01" },
      { field: "disposed.method", after: "sold" },
      { field: "disposed.proceeds", after: "9.50" },
    ]);
  });
});

describe("a deletion", () => {
  it("an asset that is checked out or has posted depreciation is refused; a disposed one is not", () => {
    expect(thrownCode(() => assertCanDelete(issued))).toBe("ASSET_CHECKED_OUT");
    expect(thrownCode(() => assertCanDelete(testAsset({ accumulatedDepreciation: 1 })))).toBe(
      "ASSET_HAS_DEPRECIATION",
    );
    expect(thrownCode(() => assertCanDelete(testAsset(), true))).toBe("ASSET_HAS_DEPRECIATION");
    // An opening was charged elsewhere.
    expect(
      thrownCode(() => assertCanDelete(testAsset({ accumulatedDepreciation: 1 }), false)),
    ).toBeUndefined();
    for (const one of [testAsset(), testAsset({ accumulatedDepreciation: 0 }), gone]) {
      expect(thrownCode(() => assertCanDelete(one))).toBeUndefined();
    }
  });
});

describe("a change of status", () => {
  const status = (key: string, statusClass: Status["class"]): Status => ({
    ...{ id: `sta_${key}`, workspaceId: "wsp_1", key, name: key, class: statusClass, isDefault: false },
  });
  const lost = status("lost", "undeployable");
  const retired = status("retired", "archived");

  it("only a disposal sets `disposed`, and nothing changes the status of a disposed asset", () => {
    expect(thrownCode(() => planStatusChange(testAsset(), status("disposed", "archived")))).toBe(
      "VALIDATION_FAILED",
    );
    expect(thrownCode(() => planStatusChange(gone, lost))).toBe("ASSET_DISPOSED");
  });

  it("an asset that is checked out may be lost, and may not be archived", () => {
    expect(thrownCode(() => planStatusChange(issued, lost))).toBeUndefined();
    expect(thrownCode(() => planStatusChange(issued, retired))).toBe("ASSET_CHECKED_OUT");
    expect(thrownCode(() => planStatusChange(testAsset(), retired))).toBeUndefined();
  });

  it("the status that an asset has changes nothing, also of a disposed one", () => {
    const has = { ...retired, id: gone.statusId };
    expect(planStatusChange(gone, has)).toBeUndefined();
    expect(planStatusChange(testAsset({ statusId: lost.id }), lost)).toBeUndefined();
  });
});

it("a local date is that of the time zone", () => {
  expect(localDate(new Date("2026-03-01T23:30:00Z"), "Europe/Berlin")).toBe("2026-03-02");
  expect(localDate(new Date("2026-03-01T04:30:00Z"), "America/New_York")).toBe("2026-02-28");
  const years = { min: new Date("1900-01-02"), max: new Date("9999-12-30"), noInvalidDate: true };
  fc.assert(
    fc.property(fc.date(years), (instant) => {
      expect(localDate(instant, "UTC")).toBe(instant.toISOString().slice(0, 10));
    }),
  );
});
