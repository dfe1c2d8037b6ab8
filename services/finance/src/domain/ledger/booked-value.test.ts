import { describe, expect, test } from "vitest";
import { changeOf, profileWith } from "../../../test/schedules.ts";
import type { Profile } from "../profiles/profile.ts";
import {
  type Booked,
  broughtForward,
  endedValues,
  movedProfiles,
  movedValue,
  valueChanges,
} from "./booked-value.ts";
import { type Carry, emptyCarry, type LedgerRow } from "./ledger.ts";

const value = (bookedIn: string, amount: number, categoryId: string | undefined = "cat_1"): Booked => ({
  ...{ book: "book", bookedIn, categoryId, kind: "value", amount },
});

/** Cost 1,200.00 with an opening of 200.00 from January 2027; 900.00 from June on. */
const profile: Profile = {
  ...profileWith(
    { openingAccumulated: 20_000 },
    { changes: [changeOf("2027-04-01", { salvage: 5 }), changeOf("2027-06-01", { cost: 90_000 })] },
  ),
  categoryId: "cat_1",
};
const [creation] = profile.changes;

describe("what a profile brings into reports", () => {
  test("is cost less opening, in the months from which its changes count; a change of other fields brings nothing", () => {
    expect(valueChanges(undefined, profile)).toEqual([value("2027-01", 100_000), value("2027-06", -30_000)]);
  });

  test("of a changed profile is the difference, also in a month that it has left", () => {
    const first = { ...profile, changes: creation === undefined ? [] : [creation] };
    expect(valueChanges(first, profile)).toEqual([value("2027-06", -30_000)]);
    const last = changeOf("2027-08-01", { cost: 90_000 });
    const moved = { ...profile, changes: [...profile.changes.slice(0, -1), last] };
    expect(valueChanges(profile, moved)).toEqual([value("2027-06", 30_000), value("2027-08", -30_000)]);
    expect(valueChanges(profile, profile)).toEqual([]);
  });
});

describe("the value of an asset that has another category", () => {
  test("moves less what was charged, and later values move along", () => {
    expect(movedValue(profile, "cat_2", { bookedIn: "2027-03", charged: 4_000 })).toEqual([
      ...[value("2027-03", -96_000), value("2027-03", 96_000, "cat_2")],
      ...[value("2027-06", 30_000), value("2027-06", -30_000, "cat_2")],
    ]);
  });

  test("of the month of a change moves with that change", () => {
    expect(movedValue(profile, undefined, { bookedIn: "2027-06", charged: 0 })).toEqual([
      value("2027-06", -70_000),
      { ...value("2027-06", 70_000), categoryId: undefined },
    ]);
  });

  test("does not move if the category is the same or nothing is left", () => {
    expect(movedValue(profile, "cat_1", { bookedIn: "2027-03", charged: 0 })).toEqual([]);
    expect(movedValue(profile, "cat_2", { bookedIn: "2027-06", charged: 70_000 })).toEqual([]);
  });
});

test("later values that are brought forward leave their months, so that one month counts all of it", () => {
  expect(broughtForward(profile, "2027-03", 70_000)).toEqual([
    value("2027-03", -30_000),
    value("2027-06", 30_000),
  ]);
  expect(broughtForward(profile, "2027-06", 70_000)).toEqual([]);
  expect(broughtForward(profile, "2027-06", 70_001)).toEqual([value("2027-06", 1)]);
});

describe("the values of a profile whose asset is deleted", () => {
  const ended = (accumulated: number, openFrom: string | undefined) =>
    endedValues({ ...profile, carry: { accumulated } }, openFrom);

  test("leave the months in which they came, if none is posted", () => {
    expect(ended(0, undefined)).toEqual([value("2027-01", -100_000), value("2027-06", 30_000)]);
    expect(ended(0, "2027-01")).toEqual([value("2027-01", -100_000), value("2027-06", 30_000)]);
  });

  test("of posted months leave in the first open one, less what was charged", () => {
    expect(ended(4_000, "2027-03")).toEqual([value("2027-06", 30_000), value("2027-03", -96_000)]);
    expect(ended(4_000, "2027-06")).toEqual([value("2027-06", 30_000), value("2027-06", -96_000)]);
    expect(ended(4_000, "2027-07")).toEqual([value("2027-07", -66_000)]);
  });

  test("leave nothing in an open month if everything was charged", () => {
    expect(ended(70_000, "2027-07")).toEqual([]);
  });
});

describe("profiles whose posted rows have another category", () => {
  const row = (fields: Partial<LedgerRow> = {}): LedgerRow => ({
    ...{ profileId: "prf_1", assetId: "ast_1", book: "book", kind: "charge", period: "2027-03" },
    ...{ bookedIn: "2027-03", categoryId: "cat_2", amount: 1_000, causeId: "run_1", ...fields },
  });
  const carried = (fields: Partial<Carry> = {}) => ({ ...profile, carry: { ...emptyCarry, ...fields } });

  test("move to it with the value that they had before the rows", () => {
    const rows = [row(), row({ period: "2027-02", amount: 500 }), row({ profileId: "prf_2", amount: 7 })];
    expect(movedProfiles([carried({ accumulated: 5_500 })], rows)).toEqual([
      {
        ...{ profileId: "prf_1", categoryId: "cat_2" },
        values: movedValue(profile, "cat_2", { bookedIn: "2027-03", charged: 4_000 }),
      },
    ]);
  });

  test("stay without rows, and with rows of their own category", () => {
    expect(movedProfiles([carried()], [row({ profileId: "prf_2" })])).toEqual([]);
    expect(movedProfiles([carried()], [row({ categoryId: "cat_1" })])).toEqual([]);
  });
});
