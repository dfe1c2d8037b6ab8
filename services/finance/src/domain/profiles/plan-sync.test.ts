import { expect, test } from "vitest";
import type { KnownAsset } from "./asset.ts";
import { isEmptyPlan, planSync, type SyncInput, type SyncSetting } from "./plan-sync.ts";

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
});

test("values that make no valid profile mark it once; a cost below what is charged is one", () => {
  const book = seeded.profiles.book;
  if (book === undefined) throw new Error("seeded");
  const posted = { ...book, carry: { ...book.carry, accumulated: 20_000, chargedThrough: "2026-02" } };
  const input = { ...seeded, profiles: { book: posted }, asset: { ...asset, rev: 3, cost: 10_000 } };
  const [marked] = planSync(input, setting).profiles;
  expect(marked?.after).toMatchObject({ invalidInput: true, cost: 120_000, assetRev: 3 });
  const again = { ...input, profiles: { book: marked?.after ?? posted }, asset: { ...input.asset, rev: 4 } };
  expect(planSync(again, setting).profiles).toEqual([]);
});

test("a disposal is written once for each book that the asset has; without a profile for `book`", () => {
  const disposal = { date: "2026-02-10", method: "sold", proceeds: 5 } as const;
  const sold = { ...bare, asset: { ...asset, depreciationMethod: undefined, disposal } };
  expect(planSync(sold, setting).disposals).toMatchObject([{ book: "book", status: "pending", proceeds: 5 }]);
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
