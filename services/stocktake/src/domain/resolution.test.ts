import { expect, test } from "vitest";
import { addResolution, formerResolutions, lastResolved, resolutionsOf } from "./resolution.ts";
import type { VarianceResolution } from "./variance.ts";

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
});

test("former resolutions are those that do not hold: all of an unresolved row", () => {
  const resolutions = [entry(2), refused(5), entry(8)];
  const resolved = { rev: 9, status: "resolved", resolution: "ignored", resolutions } as const;
  expect(formerResolutions(resolved)).toEqual([entry(2), refused(5)]);
  expect(formerResolutions({ rev: 10, status: "unresolved", resolutions })).toEqual(resolutions);
  expect(formerResolutions({ rev: 1, status: "resolved" })).toEqual([]);
});

test("the last resolution that register has had is not a refused one", () => {
  expect(lastResolved({ rev: 6, resolutions: [entry(2), refused(5)] })).toEqual(entry(2));
  expect(lastResolved({ rev: 6, resolutions: [refused(5)] })).toBeUndefined();
});
