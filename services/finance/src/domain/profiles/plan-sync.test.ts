import { expect, test } from "vitest";
import { changeOf, profileWith } from "../../../test/schedules.ts";
import type { KnownAsset } from "./asset.ts";
import { effectOnRuns, isEmptyPlan, planSync, type SyncInput, type SyncSetting } from "./plan-sync.ts";

const setting: SyncSetting = {
  ...{ workspaceId: "wsp_1", fiscalYearStart: 1, at: new Date(0), month: "2026-03" },
  newId: (prefix) => `${prefix}_1`,
};

const asset: KnownAsset = {
  ...{ id: "ast_1", rev: 2, cost: 120_000, usefulLifeMonths: 12, inServiceDate: "2026-01-01" },
  depreciationMethod: "straight_line",
};

const bare: SyncInput = { asset, profiles: {}, disposals: [] };

/** The stored records after the plan is written. */
function afterPlan(input: SyncInput, change: Partial<SyncSetting> = {}): SyncInput {
  const { profiles, disposals, state } = planSync(input, { ...setting, ...change });
  const { id, cost = 0 } = input.asset;
  const none = { id, workspaceId: "wsp_1", currency: "EUR", nbv: cost, accumulated: 0, rev: 0 };
  return {
    ...input,
    profiles: { ...input.profiles, ...Object.fromEntries(profiles.map(({ after }) => [after.book, after])) },
    disposals: [...input.disposals, ...disposals],
    state: state ? { ...(input.state ?? none), ...state.set } : input.state,
  };
}

const seeded = afterPlan(bare);

test("a seeded profile is published with its figures, and nothing more follows", () => {
  expect(seeded.profiles.book).toMatchObject({ cost: 120_000, assetRev: 2, changes: [{ assetRev: 2 }] });
  expect(seeded.state).toMatchObject({ nbv: 120_000, accumulated: 0 });
  expect(isEmptyPlan(planSync(seeded, setting))).toBe(true);
  const plan = planSync(bare, setting);
  expect(plan.profiles).toMatchObject([{ after: { id: "prf_1", changes: [{ id: "chg_1" }] } }]);
  expect(plan.touched).toEqual([{ book: "book", effectiveOn: "2026-01-01" }]);
  expect(plan.invalid).toBe(false);
});

test("a change is made by the actor of the asset's change, or by the service itself if that is unknown", () => {
  const by = { kind: "user", id: "usr_1" } as const;
  const madeBy = (updatedBy: KnownAsset["updatedBy"]) =>
    planSync({ ...bare, asset: { ...asset, updatedBy } }, setting).profiles[0]?.after.changes[0]?.by;
  expect([madeBy(by), madeBy(undefined)]).toEqual([by, { kind: "service", id: "finance" }]);
});

test("a plan with any write is not empty", () => {
  const disposal = { date: "2026-02-10", method: "sold", proceeds: 5 } as const;
  const writtenOff = seeded.state && { ...seeded.state, writeOff: { assetRev: 2 } };
  const inputs: SyncInput[] = [
    bare,
    { ...bare, asset: { ...asset, depreciationMethod: undefined, disposal } },
    { ...seeded, state: writtenOff, asset: { ...asset, rev: 3, statusKey: "in_stock" } },
    // The salvage changes no figure, so the state stays.
    { ...seeded, asset: { ...asset, rev: 3, salvageValue: 5 } },
    { ...seeded, asset: { ...asset, rev: 3, salvageValue: 5, disposal } },
  ];
  const writes = inputs.map((input) => {
    const plan = planSync(input, setting);
    expect(isEmptyPlan(plan)).toBe(false);
    return [plan.profiles.length, plan.disposals.length, plan.state === undefined ? 0 : 1];
  });
  expect(writes).toEqual([
    [1, 0, 1],
    [0, 1, 0],
    [0, 0, 1],
    [1, 0, 0],
    [1, 1, 0],
  ]);
});

test("values that can make no profile are reported, and none is made", () => {
  const plan = planSync({ ...bare, asset: { ...asset, salvageValue: 120_001 } }, setting);
  expect(plan).toEqual({ profiles: [], disposals: [], touched: [], invalid: true });
});

test("without a profile the published value is the cost, once the asset is published", () => {
  const state = seeded.state && { ...seeded.state, nbv: 120_000 };
  const without = { ...bare, asset: { ...asset, depreciationMethod: undefined, cost: 90_000 } };
  expect(planSync(without, setting).state).toBeUndefined();
  const setBy = (input: SyncInput) => planSync({ ...input, state }, setting).state?.set;
  expect(setBy(without)).toEqual({ nbv: 90_000, accumulated: 0 });
  expect(setBy({ ...bare, asset: { ...without.asset, cost: undefined } })).toEqual({
    nbv: 0,
    accumulated: 0,
  });
});

test("an accounted disposal of `book` keeps its figures; a pending one, or one of `tax`, does not", () => {
  const state = seeded.state && { ...seeded.state, nbv: 0, accumulated: 30_000 };
  const figures = (...disposals: SyncInput["disposals"]) =>
    planSync({ ...seeded, state, disposals }, setting).state?.set;
  const current = { nbv: 120_000, accumulated: 0 };
  expect(figures({ book: "book", status: "accounted" })).toBeUndefined();
  expect(figures({ book: "book", status: "pending" })).toEqual(current);
  expect(figures({ book: "book", status: "pending" }, { book: "tax", status: "accounted" })).toEqual(current);
});

test("a state with another accumulated amount is published again", () => {
  const state = seeded.state && { ...seeded.state, accumulated: 5 };
  expect(planSync({ ...seeded, state }, setting).state?.set).toEqual({ nbv: 120_000, accumulated: 0 });
});

test("only a higher rev changes a profile, from the first month that is not posted", () => {
  const changed = (rev: number) => ({ ...seeded, asset: { ...asset, rev, cost: 90_000 } });
  expect(isEmptyPlan(planSync(changed(2), setting))).toBe(true);
  const book = seeded.profiles.book;
  if (book === undefined) throw new Error("seeded");
  const posted = { ...book, carry: { ...book.carry, accumulated: 20_000, chargedThrough: "2026-02" } };
  const plan = planSync({ ...changed(3), profiles: { book: posted } }, { ...setting, openFrom: "2026-03" });
  expect(plan.touched).toEqual([{ book: "book", effectiveOn: "2026-03-01" }]);
  expect(plan.state).toEqual({ set: { nbv: 70_000, accumulated: 20_000 }, change: "profileChanged" });
  // Each change names the rev that made it.
  expect(plan.profiles).toMatchObject([
    { after: { assetRev: 3, changes: [{ assetRev: 2 }, { assetRev: 3, fields: { cost: 90_000 } }] } },
  ]);
});

test("values that are corrected to those before are valid again, and make no further change", () => {
  const book = seeded.profiles.book;
  if (book === undefined) throw new Error("seeded");
  const invalid = { ...book, invalidInput: true };
  const plan = planSync({ ...seeded, profiles: { book: invalid }, asset: { ...asset, rev: 4 } }, setting);
  expect(plan.profiles).toMatchObject([{ after: { assetRev: 4, changes: [{ assetRev: 2 }] } }]);
  expect(plan.profiles[0]?.after.invalidInput).toBeUndefined();
  expect(plan.touched).toEqual([{ book: "book", effectiveOn: undefined }]);
});

test("an error of the program is not taken for wrong values", () => {
  const book = seeded.profiles.book;
  if (book === undefined) throw new Error("seeded");
  const input = {
    ...seeded,
    profiles: { book: { ...book, changes: [] } },
    asset: { ...asset, rev: 3, cost: 1 },
  };
  expect(() => planSync(input, setting)).toThrow(RangeError);
});

test("values that make no valid profile mark it once; a cost below what is charged is one", () => {
  const book = seeded.profiles.book;
  if (book === undefined) throw new Error("seeded");
  const posted = { ...book, carry: { ...book.carry, accumulated: 20_000, chargedThrough: "2026-02" } };
  const input = { ...seeded, profiles: { book: posted }, asset: { ...asset, rev: 3, cost: 10_000 } };
  const [marked] = planSync(input, setting).profiles;
  const stamp = { rev: 2, updatedAt: setting.at, updatedBy: { kind: "service", id: "finance" } };
  expect(marked?.after).toMatchObject({ invalidInput: true, cost: 120_000, assetRev: 3, ...stamp });
  const again = { ...input, profiles: { book: marked?.after ?? posted }, asset: { ...input.asset, rev: 4 } };
  expect(planSync(again, setting).profiles).toEqual([]);
});

test("a disposal is written once for each book that the asset has; without a profile for `book`", () => {
  const disposal = { date: "2026-02-10", method: "sold", proceeds: 5 } as const;
  const sold = { ...bare, asset: { ...asset, depreciationMethod: undefined, disposal } };
  expect(planSync(sold, setting).disposals).toMatchObject([
    { id: "dsp_1", book: "book", status: "pending", progress: { done: 0, total: 1 }, proceeds: 5 },
  ]);
  const book = seeded.profiles.book;
  if (book === undefined) throw new Error("seeded");
  const both = { ...seeded, profiles: { book, tax: { ...book, book: "tax" as const } } };
  const input = { ...both, asset: { ...asset, rev: 3, disposal } };
  const plan = planSync(input, setting);
  expect(plan.disposals.map((one) => one.book)).toEqual(["book", "tax"]);
  expect(plan.touched).toEqual([
    { book: "book", ofLines: true },
    { book: "tax", ofLines: true },
  ]);
  expect(isEmptyPlan(planSync(afterPlan(input), setting))).toBe(true);
});

test("a deletion ends the profiles and the write-off, once; an asset that was never published has no state", () => {
  const deletedAt = new Date(1);
  const state = seeded.state && { ...seeded.state, writeOff: { assetRev: 2 } };
  const deleted = { ...seeded, state, asset: { ...asset, rev: 3, deletedAt } };
  const plan = planSync(deleted, setting);
  expect(plan.profiles).toMatchObject([{ after: { endedAt: deletedAt } }]);
  expect(plan.touched).toEqual([{ book: "book", ofLines: true }]);
  expect(plan.state).toEqual({ set: { deletedAt, writeOff: undefined }, change: "deleted" });
  expect(isEmptyPlan(planSync(afterPlan(deleted), setting))).toBe(true);
  expect(isEmptyPlan(planSync({ ...bare, asset: { ...asset, deletedAt } }, setting))).toBe(true);
});

test("a write-off is cleared by a higher rev with another status", () => {
  const state = seeded.state && { ...seeded.state, writeOff: { assetRev: 2 } };
  const at = (rev: number, statusKey: string) =>
    planSync({ ...seeded, state, asset: { ...asset, rev, statusKey } }, setting).state?.change;
  expect([at(2, "in_stock"), at(3, "lost"), at(3, "in_stock")]).toEqual([
    ...[undefined, undefined],
    "writeOffChanged",
  ]);
});

test("a write-off is cleared together with new figures", () => {
  const state = seeded.state && { ...seeded.state, writeOff: { assetRev: 2 } };
  const input = { ...seeded, state, asset: { ...asset, rev: 3, statusKey: "in_stock", cost: 90_000 } };
  expect(planSync(input, setting).state).toStrictEqual({
    set: { nbv: 90_000, accumulated: 0, writeOff: undefined },
    change: "profileChanged",
  });
});

test("a change reaches runs from its own day, from that of its impairment, or from where it was before it moved", () => {
  const first = changeOf("2027-03-01", { salvage: 5 });
  const profile = (...changes: ReturnType<typeof changeOf>[]) => profileWith({}, { changes });
  const before = profile(first);
  expect(effectOnRuns(undefined, before)).toBe("2027-01-01");
  expect(effectOnRuns(before, profile(first, changeOf("2027-06-01", { salvage: 7 })))).toBe("2027-06-01");
  const impaired = changeOf("2027-06-01", {}, { amount: 1, on: "2027-04-10" });
  expect(effectOnRuns(before, profile(first, impaired))).toBe("2027-04-10");
  const later = changeOf("2027-08-01", { salvage: 7 });
  const moved = { ...later, effectiveOn: "2027-05-01" };
  expect(effectOnRuns(profile(first, later), profile(first, moved))).toBe("2027-05-01");
  expect(effectOnRuns(profile(first, moved), profile(first, later))).toBe("2027-05-01");
});
