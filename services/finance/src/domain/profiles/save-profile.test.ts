import type { AppError } from "@asset-register/runtime";
import { describe, expect, test } from "vitest";
import { changeOf, profileWith } from "../../../test/schedules.ts";
import { emptyCarry } from "../ledger/ledger.ts";
import type { KnownAsset } from "./asset.ts";
import type { CategoryDefaults } from "./category.ts";
import type { ProfileChange } from "./profile.ts";
import { countEchoes, editProfile, type SaveContext, type SaveInput } from "./save-profile.ts";

const context: SaveContext = {
  ...{ id: "chg_own", at: new Date(0), by: { kind: "user", id: "usr_1" }, month: "2027-03" },
  ...{ fiscalYearStart: 1, workspaceId: "wsp_1", newId: () => "prf_1" },
};
const answer = { rev: 2, changed: true };
const ofRev = (assetRev: number, change: ProfileChange): ProfileChange => ({ ...change, assetRev });

/** A profile of declining balance as events seed it, with a cost that a later one has changed. */
function seeded() {
  const made = profileWith(
    { method: "declining_balance", factor: 2, switchToSl: true },
    { changes: [changeOf("2027-03-01", { cost: 90_000 })] },
  );
  const changes = made.changes.map((change, index) => ofRev(index + 2, change));
  return { ...made, changes, rev: 2, carry: emptyCarry };
}

test("all changes of a profile that events made since the call wrote to register are echoes of it, else only its own", () => {
  const [creation, later] = seeded().changes as [ProfileChange, ProfileChange];
  expect(countEchoes({ changes: [creation, later] }, answer)).toBe(2);
  expect(countEchoes({ changes: [creation, later] }, { rev: 2, changed: false })).toBe(0);
  expect(countEchoes({ changes: [ofRev(1, creation), ofRev(2, later)] }, answer)).toBe(1);
  expect(countEchoes({ changes: [ofRev(1, creation), later] }, answer)).toBe(0);
  expect(countEchoes({ changes: [{ ...creation, assetRev: undefined }, later] }, answer)).toBe(0);
  const third = ofRev(2, later);
  expect(countEchoes({ changes: [ofRev(1, creation), ofRev(1, later), third] }, answer)).toBe(1);
});

test("what events have seeded never reaches the caller's request, also after another change of the asset: only its values stay", () => {
  const asset = {
    ...{ id: "ast_1", rev: 3, cost: 90_000, salvageValue: 0, usefulLifeMonths: 36 },
    ...{ inServiceDate: "2027-01-01", depreciationMethod: "declining_balance" },
  } as KnownAsset;
  const edit = { fields: { method: "declining_balance", cost: 120_000, rate: 50 } } as const;
  const input = { book: "book" as const, edit, answer };
  const { after, created } = editProfile({ asset, profiles: { book: seeded() } }, input, context);
  expect(created).toBe(true);
  expect(after).toMatchObject({ cost: 90_000, rate: 50, switchToSl: false, assetRev: 3, rev: 3 });
  expect(after.factor).toBeUndefined();
  expect(after.changes).toHaveLength(1);
});

test("register's values that an event has seeded stay, also if the asset's own fields lack them", () => {
  // The life came from a category that has none any more.
  const asset = { id: "ast_1", rev: 2, cost: 90_000, inServiceDate: "2027-01-01" };
  const edit = { fields: { method: "straight_line", salvage: 100 } } as const;
  const input = { book: "book" as const, edit, answer };
  const { after } = editProfile({ asset, profiles: { book: seeded() } }, input, context);
  expect(after).toMatchObject({ method: "straight_line", lifeMonths: 36, salvage: 100, cost: 90_000 });
});

const asset: KnownAsset = {
  ...{ id: "ast_1", rev: 3, categoryId: "cat_1", cost: 90_000, salvageValue: 500, usefulLifeMonths: 36 },
  ...{ inServiceDate: "2027-01-01", depreciationMethod: "straight_line" },
};

describe("the first profile that a caller makes", () => {
  const make = (input: Partial<SaveInput>, known: { asset?: KnownAsset; defaults?: CategoryDefaults } = {}) =>
    editProfile(
      { asset: known.asset ?? asset, profiles: {}, defaults: known.defaults },
      { book: "book", edit: { fields: {} }, ...input },
      context,
    );
  const violationsOf = (act: () => unknown) => {
    try {
      return act();
    } catch (error) {
      return (error as AppError).violations.map(({ field, message }) => `${field} ${message}`);
    }
  };

  test("in `book` takes what the caller leaves out from the asset, then from its category", () => {
    const { stored, after, created } = make({ edit: { fields: { lifeMonths: 24 } } });
    expect([stored, created]).toEqual([undefined, true]);
    expect(after).toMatchObject({
      ...{ id: "prf_1", workspaceId: "wsp_1", assetId: "ast_1", book: "book", categoryId: "cat_1" },
      ...{ method: "straight_line", cost: 90_000, salvage: 500, lifeMonths: 24, inServiceDate: "2027-01-01" },
      ...{ fiscalYearStart: 1, assetRev: 3, rev: 1, carry: emptyCarry },
    });
    const bare = {
      ...asset,
      salvageValue: undefined,
      usefulLifeMonths: undefined,
      depreciationMethod: undefined,
    };
    const defaults: CategoryDefaults = {
      method: "declining_balance",
      usefulLifeMonths: 60,
      salvagePercent: 10,
      convention: "daily",
    };
    expect(make({}, { asset: bare, defaults }).after).toMatchObject({
      ...{ method: "declining_balance", lifeMonths: 60, salvage: 9_000, convention: "daily", factor: 2 },
    });
    expect(make({ edit: { fields: { cost: 50_000 } } }, { asset: bare, defaults }).after.salvage).toBe(5_000);
  });

  test("in `tax` has its own values only, and no rev of the asset", () => {
    const fields = {
      method: "straight_line",
      cost: 1_000,
      lifeMonths: 12,
      inServiceDate: "2027-02-01",
    } as const;
    const { after } = make({ book: "tax", edit: { fields } });
    expect(after).toMatchObject({ ...fields, book: "tax", salvage: 0 });
    expect(after.assetRev).toBeUndefined();
    expect(violationsOf(() => make({ book: "tax" }))).toEqual([
      ...["method is required", "cost is required", "in_service_date is required"],
    ]);
  });

  test("is of the newest rev that is known, and takes no value of the asset from before the call's own", () => {
    expect(make({ answer: { rev: 5, changed: true } }).after.assetRev).toBe(5);
    expect(make({ answer: { rev: 2, changed: true } }).after.assetRev).toBe(3);
    const edit = { fields: { cost: 80_000 } };
    expect(make({ edit, answer: { rev: 4, changed: true } }).after.cost).toBe(80_000);
    expect(make({ edit, answer: { rev: 3, changed: true } }).after.cost).toBe(90_000);
  });

  test("has no day of effect and no impairment", () => {
    const impairment = { amount: 1, on: "2027-03-01" };
    const none = "is for the change of a profile; the asset has none yet";
    const edit = { fields: {}, effectiveOn: "2027-03-01", impairment };
    expect(violationsOf(() => make({ edit }))).toEqual([`effective_on ${none}`, `impairment ${none}`]);
    expect(violationsOf(() => make({ edit: { fields: {}, impairment } }))).toEqual([`impairment ${none}`]);
  });
});

describe("the change of a profile by a caller", () => {
  const save = (
    profile: ReturnType<typeof seeded>,
    input: Partial<SaveInput>,
    more: Partial<SaveContext> = {},
  ) =>
    editProfile(
      { asset, profiles: { book: profile } },
      { book: "book", edit: { fields: {} }, ...input },
      { ...context, ...more },
    );

  test("that changes nothing answers the stored profile", () => {
    const stored = seeded();
    const same = save(stored, { edit: { fields: { cost: 90_000 } } });
    expect(same.created).toBe(false);
    expect(same.after).toBe(stored);
  });

  test("follows the stored rev, and keeps the rev of the asset if register was not asked", () => {
    const stored = { ...seeded(), assetRev: 2 };
    const { after, created } = save(stored, { edit: { fields: { salvage: 7 } } });
    expect([after.rev, after.assetRev, created]).toEqual([3, 2, false]);
    expect(after).toMatchObject({ salvage: 7, carry: emptyCarry });
    expect(after.changes).toHaveLength(3);
  });

  test("is of the newest rev that register, the asset or the profile has", () => {
    const stored = { ...seeded(), assetRev: 2 };
    const assetRevOf = (rev: number, storedRev: number) => {
      const input = { edit: { fields: { convention: "daily" as const } }, answer: { rev, changed: false } };
      return save({ ...stored, assetRev: storedRev }, input).after.assetRev;
    };
    expect([assetRevOf(5, 2), assetRevOf(2, 2), assetRevOf(2, 7)]).toEqual([5, 3, 7]);
  });

  test("replaces no event of its own write if the first of them is posted", () => {
    const posted = { ...seeded(), carry: { ...emptyCarry, accumulated: 9, chargedThrough: "2027-02" } };
    const input = { edit: { fields: { convention: "daily" as const } }, answer };
    const { changes } = save(posted, input, { openFrom: "2027-03" }).after;
    expect(changes.map(({ id }) => id)).toEqual(["chg_0", "chg_2027-03-01", "chg_own"]);
  });

  test("replaces the event of its own write, unless that is posted", () => {
    const made = seeded();
    const [creation, later] = made.changes as [ProfileChange, ProfileChange];
    const stored = { ...made, changes: [ofRev(1, creation), ofRev(2, later)] };
    const input = { edit: { fields: { convention: "daily" as const } }, answer };
    const replaced = save(stored, input).after.changes;
    expect(replaced.map(({ id }) => id)).toEqual(["chg_0", "chg_own"]);
    const posted = { ...stored, carry: { ...emptyCarry, accumulated: 9, chargedThrough: "2027-04" } };
    const added = save(posted, input, { openFrom: "2027-05" }).after.changes;
    expect(added.map(({ id }) => id)).toEqual(["chg_0", later.id, "chg_own"]);
  });
});
