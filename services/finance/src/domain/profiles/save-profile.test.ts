import { expect, test } from "vitest";
import { changeOf, profileWith } from "../../../test/schedules.ts";
import { emptyCarry } from "../ledger/ledger.ts";
import type { KnownAsset } from "./asset.ts";
import type { ProfileChange } from "./profile.ts";
import { countEchoes, editProfile, type SaveContext } from "./save-profile.ts";

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
