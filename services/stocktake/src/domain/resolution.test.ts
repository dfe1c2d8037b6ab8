import { expect, test } from "vitest";
import {
  addResolution,
  assertAllowed,
  formerResolutions,
  lastResolved,
  resolutionsOf,
  varianceResolved,
} from "./resolution.ts";
import type { Resolution, VarianceKind, VarianceReason, VarianceResolution } from "./variance.ts";

const by = { kind: "user", id: "usr_1" } as const;
const at = new Date(0);
const entry = (rev: number, fields: Partial<VarianceResolution> = {}): VarianceResolution => ({
  ...{ resolution: "ignored", by, at, rev, outcome: "resolved", ...fields },
});
const refused = (rev: number) => entry(rev, { outcome: "refused", code: "ASSET_MOVED_SINCE" });

test("a row keeps its last 50 resolutions, the newest last", () => {
  let resolutions: VarianceResolution[] = [];
  for (let rev = 1; rev <= 51; rev += 1) resolutions = addResolution({ resolutions, rev }, entry(rev));
  expect(resolutions).toHaveLength(50);
  expect([resolutions[0]?.rev, resolutions.at(-1)?.rev]).toEqual([2, 51]);
});

test("the resolution of a row of an earlier release is its only one", () => {
  const row = { rev: 3, resolution: "ignored", note: "on loan", resolvedBy: by, resolvedAt: at } as const;
  expect(resolutionsOf(row)).toEqual([entry(2, { note: "on loan" })]);
  expect(addResolution({ ...row, rev: 5 }, refused(5))).toHaveLength(2);
  expect(resolutionsOf({ rev: 1 })).toEqual([]);
  expect(resolutionsOf({ ...row, resolutions: [] })).toEqual([entry(2, { note: "on loan" })]);
  expect(resolutionsOf({ ...row, resolutions: [refused(2)] })).toEqual([refused(2)]);
  for (const missing of ["resolution", "resolvedBy", "resolvedAt"] as const) {
    expect(resolutionsOf({ ...row, [missing]: undefined })).toEqual([]);
  }
});

test("former resolutions are those that do not hold: all of an unresolved row", () => {
  const resolutions = [entry(2), refused(5), entry(8)];
  const resolved = { rev: 9, status: "resolved", resolution: "ignored", resolutions } as const;
  expect(formerResolutions(resolved)).toEqual([entry(2), refused(5)]);
  expect(formerResolutions({ rev: 10, status: "unresolved", resolutions })).toEqual(resolutions);
  expect(formerResolutions({ rev: 1, status: "resolved" })).toEqual([]);
  // A row that needs no resolution is resolved without one.
  expect(formerResolutions({ rev: 10, status: "resolved", resolutions })).toEqual(resolutions);
  expect(formerResolutions({ ...resolved, status: "resolving" })).toEqual(resolutions);
});

test("the last resolution that register has had is not a refused one", () => {
  expect(lastResolved({ rev: 6, resolutions: [entry(2), refused(5)] })).toEqual(entry(2));
  expect(lastResolved({ rev: 6, resolutions: [refused(5)] })).toBeUndefined();
});

test.each<[Resolution, VarianceKind[]]>([
  ["confirmed_moved", ["misplaced", "duplicate"]],
  ["written_off", ["missing"]],
  ["ignored", ["missing", "misplaced", "unregistered", "duplicate"]],
])("%s is a resolution for variances of the kinds %j only", (resolution, expected) => {
  const kinds: VarianceKind[] = ["found", "missing", "misplaced", "unregistered", "duplicate"];
  const accepted = kinds.filter((kind) => {
    try {
      assertAllowed({ kind }, resolution);
      return true;
    } catch (error) {
      const message =
        kind === "found"
          ? "This variance needs no resolution."
          : `A variance of kind ${kind} cannot be resolved as ${resolution}.`;
      expect(error).toMatchObject({
        ...{ kind: "invalid", code: "RESOLUTION_NOT_ALLOWED", message },
        violations: [{ field: "resolution", message }],
      });
      return false;
    }
  });
  expect(accepted).toEqual(expected);
});

test("a lost asset that was found can be confirmed or ignored, and not written off", () => {
  const found: { kind: VarianceKind; reason: VarianceReason } = { kind: "found", reason: "lost_asset" };
  expect(() => assertAllowed(found, "confirmed_moved")).not.toThrow();
  expect(() => assertAllowed(found, "ignored")).not.toThrow();
  expect(() => assertAllowed(found, "written_off")).toThrow("A variance of kind found cannot be resolved");
});

test("a variance that has another resolution names it", () => {
  expect(varianceResolved("ignored")).toMatchObject({
    ...{ kind: "conflict", code: "VARIANCE_RESOLVED" },
    message: "The variance is resolved as ignored. Only a reconcile can open it again.",
    violations: [{ field: "resolution", message: "ignored" }],
  });
});
