import type { AppError } from "@asset-register/runtime";
import { describe, expect, it } from "vitest";
import { inputsOf, postRun, profileWith } from "../../../test/schedules.ts";
import { emptyCarry } from "../ledger/ledger.ts";
import { nextPeriod } from "../schedule/period.ts";
import {
  type ChangeContext,
  changeProfile,
  isPosted,
  newProfile,
  type ProfileEdit,
} from "./change-profile.ts";
import type { Profile, ProfileInputs } from "./profile.ts";

describe("a change of a profile", () => {
  /** After a run up to a month, or without any. */
  function change(
    profile: Profile,
    edit: ProfileEdit,
    posted?: string,
    more: Partial<ChangeContext> = {},
  ): Profile | string[] {
    const { carry } = posted === undefined ? { carry: emptyCarry } : postRun(profile, emptyCarry, posted);
    const openFrom = posted === undefined ? undefined : nextPeriod(posted);
    const context: ChangeContext = {
      ...{
        id: "chg_1",
        at: new Date(0),
        by: { kind: "user", id: "usr_1" },
        month: "2027-06",
        openFrom,
        carry,
        ...more,
      },
    };
    try {
      return changeProfile(profile, edit, context);
    } catch (error) {
      const { code, message, violations } = error as AppError;
      return [
        code,
        ...(code === "VALIDATION_FAILED" ? [] : [message]),
        ...violations.map((one) => `${one.field} ${one.message}`),
      ];
    }
  }
  const last = (profile: Profile | string[]) => (Array.isArray(profile) ? undefined : profile.changes.at(-1));

  it("without rows takes effect from the first month, before or after it", () => {
    const made = change(profileWith({ inServiceDate: "2027-03-01" }), {
      fields: { inServiceDate: "2027-02-15" },
    });
    expect(last(made)).toMatchObject({ effectiveOn: "2027-02-01", fields: { inServiceDate: "2027-02-15" } });
  });

  it("with rows takes effect after the last posted month, and refuses earlier days", () => {
    const profile = profileWith({});
    expect(last(change(profile, { fields: { salvage: 5 } }, "2027-03"))).toMatchObject({
      effectiveOn: "2027-04-01",
      countsFrom: "2027-04",
    });
    const refused = (field: string) => [
      "PROFILE_PERIOD_POSTED",
      "The months before are posted. Choose a later date.",
      `${field} must not be before 2027-04-01: the months before are posted`,
    ];
    const invalid = (violation: string) => ["VALIDATION_FAILED", violation];
    const opening = [
      ...["PROFILE_PERIOD_POSTED", "The months before are posted. Choose a later date."],
      "opening_accumulated must not change: months of the profile are posted",
    ];
    const cases: [ProfileEdit, string[]][] = [
      [{ fields: { salvage: 5 }, effectiveOn: "2027-03-01" }, refused("effective_on")],
      [{ fields: { heldForSaleOn: "2027-03-31" } }, refused("held_for_sale_on")],
      [{ fields: {}, impairment: { amount: 1, on: "2027-03-31" } }, refused("impairment.on")],
      [
        { fields: { salvage: 5 }, effectiveOn: "2027-05-02" },
        invalid("effective_on must be the first day of a month"),
      ],
      [{ fields: { cost: 9998 } }, invalid("cost must not be less than what is charged already")],
      [{ fields: { openingAccumulated: 5 } }, opening],
      [
        { fields: { openingAccumulated: 5, openingOn: "2027-05-01" } },
        [...opening, "opening_on must not change: months of the profile are posted"],
      ],
      [
        { fields: { heldForSaleOn: "2027-05-31" }, effectiveOn: "2027-06-01" },
        invalid("held_for_sale_on must not be before effective_on"),
      ],
      ...[0, -1, 0.5].map((amount): [ProfileEdit, string[]] => [
        { fields: {}, impairment: { amount, on: "2027-04-20" } },
        invalid("impairment.amount must be more than 0"),
      ]),
      [
        { fields: {}, impairment: { amount: 110_002, on: "2027-04-20" } },
        invalid("impairment.amount must not be more than the net book value of that day"),
      ],
    ];
    for (const [edit, expected] of cases) expect(change(profile, edit, "2027-03")).toEqual(expected);
    expect(
      change(profile, { fields: {}, impairment: { amount: 110_001, on: "2027-04-20" } }, "2027-03"),
    ).toHaveProperty("rev", 2);
  });

  it("counts from the month of its effect, so that a later cost is in no earlier month", () => {
    const later = change(profileWith({}), { fields: { cost: 90_000 }, effectiveOn: "2027-09-01" }, "2027-03");
    expect(last(later)).toMatchObject({ effectiveOn: "2027-09-01", countsFrom: "2027-09" });
  });

  it("counts in no posted month, also on a profile without rows whose change takes effect earlier", () => {
    const manual = profileWith({ method: "manual" });
    const [creation] = manual.changes;
    const earlier = { fields: { cost: 90_000 }, effectiveOn: "2027-02-01" };
    expect(last(change(manual, earlier))).toMatchObject({ effectiveOn: "2027-02-01", countsFrom: "2027-02" });
    const changed = change(manual, earlier, "2027-03");
    expect(last(changed)).toMatchObject({ effectiveOn: "2027-02-01", countsFrom: "2027-04" });
    expect(changed).toMatchObject({ changes: [{ countsFrom: creation?.countsFrom }, {}] });
  });

  it("with an effective_on alone moves the newest change, unless that is posted or lacks a field", () => {
    const changed = change(profileWith({}), { fields: { salvage: 5 }, effectiveOn: "2027-06-01" }, "2027-03");
    if (Array.isArray(changed)) throw new Error("refused");
    const move = (edit: ProfileEdit, posted: string) => last(change(changed, edit, posted));
    expect(move({ fields: { salvage: 5 }, effectiveOn: "2027-08-01" }, "2027-03")).toMatchObject({
      ...{ id: changed.changes.at(-1)?.id, effectiveOn: "2027-08-01", countsFrom: "2027-08" },
    });
    const unmoved = { effectiveOn: "2027-06-01", countsFrom: "2027-06" };
    expect(move({ fields: { cost: 120_000 }, effectiveOn: "2027-08-01" }, "2027-03")).toMatchObject(unmoved);
    expect(move({ fields: { salvage: 5 }, effectiveOn: "2027-08-01" }, "2027-06")).toMatchObject(unmoved);
  });

  it("that repeats what is known is none", () => {
    const profile = profileWith({});
    expect(change(profile, { fields: { cost: 120_000, method: "straight_line" } })).toBe(profile);
  });

  it("of the method drops what only the other one has, and a convention that the new one does not have", () => {
    const declining = profileWith({ method: "declining_balance", factor: 1.5, switchToSl: true });
    expect(change(declining, { fields: { method: "straight_line" } })).toMatchObject({
      factor: undefined,
      switchToSl: undefined,
    });
    expect(last(change(declining, { fields: { rate: 30 } }))).toMatchObject({
      fields: { rate: 30 },
      cleared: ["factor"],
    });
    const macrs = change(profileWith({}), { fields: { method: "macrs", macrsClass: "5y" } });
    expect(macrs).toMatchObject({ convention: "half_year", macrsClass: "5y" });
    expect(change(profileWith({}), { fields: { factor: 2 } })).toEqual([
      ...["VALIDATION_FAILED", "factor is only for declining_balance"],
    ]);
  });

  it("ends a time held for sale", () => {
    const held = profileWith({ heldForSaleOn: "2027-02-01" });
    expect(last(change(held, { fields: {}, endHeldForSale: true }))).toMatchObject({
      cleared: ["heldForSaleOn"],
    });
  });

  it("impairs no profile by macrs", () => {
    const macrs = profileWith({ method: "macrs", macrsClass: "5y", convention: "half_year" });
    expect(change(macrs, { fields: {}, impairment: { amount: 1, on: "2027-02-01" } })).toEqual([
      ...["VALIDATION_FAILED", "impairment is not for macrs"],
    ]);
  });

  it("is accepted on the days next to those that are refused", () => {
    const profile = profileWith({});
    expect(change(profile, { fields: { cost: 9_999 } }, "2027-03")).toMatchObject({ cost: 9_999 });
    expect(change(profile, { fields: { heldForSaleOn: "2027-04-01" } }, "2027-03")).toHaveProperty("rev", 2);
    const held = { fields: { heldForSaleOn: "2027-06-01" }, effectiveOn: "2027-06-01" };
    expect(last(change(profile, held, "2027-03"))).toMatchObject({ effectiveOn: "2027-06-01" });
    // The opening that the profile has already is no change.
    const opened = profileWith({ openingAccumulated: 6_000, openingOn: "2027-01-01" });
    const same = { openingAccumulated: 6_000, openingOn: "2027-01-01", salvage: 5 };
    expect(last(change(opened, { fields: same }, "2027-03"))).toMatchObject({ fields: { salvage: 5 } });
  });

  it("is stamped, and keeps what is known of the profile", () => {
    const profile = { ...profileWith({}), assetRev: 4, categoryId: "cat_1", invalidInput: true };
    const by = { kind: "user", id: "usr_9" } as const;
    const at = new Date("2027-06-10T00:00:00Z");
    const { changes, ...made } = change(profile, { fields: { salvage: 5 } }, "2027-03", {
      at,
      by,
    }) as Profile;
    const { changes: _, ...before } = profile;
    expect(made).toEqual({
      ...{ ...before, salvage: 5, rev: 2, updatedAt: at, updatedBy: by, invalidInput: undefined },
      ...{ factor: undefined, rate: undefined, switchToSl: undefined, macrsClass: undefined },
      ...{ totalUnits: undefined, openingOn: undefined, heldForSaleOn: undefined },
    });
    expect(changes).toEqual([
      profile.changes[0],
      {
        ...{ id: "chg_1", fields: { salvage: 5 }, impairment: undefined, at, by },
        ...{ effectiveOn: "2027-01-01", countsFrom: "2027-04" },
      },
    ]);
  });

  it("to the values that a profile had before wrong ones makes it valid, and is no further change", () => {
    const profile = { ...profileWith({}), invalidInput: true };
    const made = change(profile, { fields: { cost: 120_000 } });
    expect(made).toMatchObject({ invalidInput: undefined, rev: 2, changes: profile.changes });
  });

  it("with an effective_on alone moves no creation, and nothing to where it is", () => {
    const profile = profileWith({});
    expect(change(profile, { fields: {}, effectiveOn: "2027-08-01" })).toBe(profile);
    const edit = { fields: { salvage: 5 }, effectiveOn: "2027-06-01" };
    const changed = change(profile, edit, "2027-03") as Profile;
    expect(change(changed, edit, "2027-03")).toBe(changed);
    expect(change(changed, { fields: { salvage: 5 } }, "2027-03")).toBe(changed);
    // The caller gave a cost too, although the edit has none.
    const later = { fields: { salvage: 5 }, effectiveOn: "2027-08-01" };
    expect(change(changed, later, "2027-03", { given: ["salvage", "cost"] })).toBe(changed);
    expect(change(changed, { ...later, endHeldForSale: true }, "2027-03")).toBe(changed);
    expect(change(changed, { ...later, effectiveOn: "2027-08-02" }, "2027-03")).toEqual([
      ...["VALIDATION_FAILED", "effective_on must be the first day of a month"],
    ]);
  });

  it("that ends a time held for sale can be moved by the same request", () => {
    const held = profileWith({ heldForSaleOn: "2027-05-01" });
    const edit = { fields: {}, endHeldForSale: true, effectiveOn: "2027-06-01" };
    const ended = change(held, edit, "2027-03") as Profile;
    expect(ended.heldForSaleOn).toBeUndefined();
    const moved = change(ended, { ...edit, effectiveOn: "2027-07-01" }, "2027-03");
    expect(moved).toMatchObject({ rev: 3, changes: [{}, { effectiveOn: "2027-07-01" }] });
  });

  it("keeps the inputs that it gives to the new method, and a convention that the new class has", () => {
    const edited = (inputs: Partial<ProfileInputs>, fields: Partial<ProfileInputs>) =>
      change(profileWith(inputs), { fields });
    const declining = { method: "declining_balance", rate: 30 } as const;
    expect(edited({}, declining)).toMatchObject({ rate: 30, factor: undefined, switchToSl: false });
    expect(edited(declining, { factor: 2 })).toMatchObject({ factor: 2, rate: undefined });
    const macrs = { method: "macrs", macrsClass: "5y", convention: "mid_quarter" } as const;
    expect(edited(macrs, { macrsClass: "7y" })).toMatchObject({ convention: "mid_quarter" });
    expect(edited(macrs, { macrsClass: "39y" })).toMatchObject({ convention: "mid_month" });
    expect(edited({ convention: "daily" }, declining)).toMatchObject({ convention: "daily" });
    expect(edited(macrs, { method: "straight_line" })).toMatchObject({ macrsClass: undefined });
    const units = { method: "units_of_production", totalUnits: 9 } as const;
    expect(edited(units, { method: "straight_line" })).toMatchObject({ totalUnits: undefined });
  });

  it("of another field keeps the inputs of the method, and the day of the opening", () => {
    const kept = (inputs: Partial<ProfileInputs>) => change(profileWith(inputs), { fields: { salvage: 5 } });
    const declining = { method: "declining_balance", switchToSl: true } as const;
    expect(kept({ ...declining, factor: 1.5 })).toMatchObject({ salvage: 5, factor: 1.5, switchToSl: true });
    expect(kept({ ...declining, rate: 30 })).toMatchObject({ salvage: 5, rate: 30, factor: undefined });
    expect(kept({ method: "units_of_production", totalUnits: 9 })).toMatchObject({
      salvage: 5,
      totalUnits: 9,
    });
    const opening = { openingAccumulated: 6_000, openingOn: "2027-03-01" };
    expect(kept(opening)).toMatchObject({ salvage: 5, ...opening });
  });

  it("of declining balance to another method drops its rate; factor and rate together are refused", () => {
    const byRate = profileWith({ method: "declining_balance", rate: 30 });
    expect(change(byRate, { fields: { method: "straight_line" } })).toMatchObject({ rate: undefined });
    expect(change(byRate, { fields: { rate: 20, factor: 2 } })).toEqual([
      ...["VALIDATION_FAILED", "rate must not be given together with factor"],
    ]);
  });

  it("names only the fields that it sets, so that the same request can move it", () => {
    const byFactor = profileWith({ method: "declining_balance", factor: 1.5, switchToSl: true });
    expect(Object.keys(last(change(byFactor, { fields: { rate: 30 } }))?.fields ?? {})).toEqual(["rate"]);
  });

  it("with an effective_on alone moves the newest of several changes and keeps the others", () => {
    const edits = [5, 6].map((salvage) => ({ fields: { salvage }, effectiveOn: "2027-06-01" }));
    const [first, second] = edits as [ProfileEdit, ProfileEdit];
    const twice = change(change(profileWith({}), first, "2027-03") as Profile, second, "2027-03") as Profile;
    const moved = change(twice, { ...second, effectiveOn: "2027-08-01" }, "2027-03") as Profile;
    expect(moved.changes.map(({ fields, effectiveOn }) => [fields.salvage, effectiveOn])).toEqual([
      [0, "2027-01-01"],
      [5, "2027-06-01"],
      [6, "2027-08-01"],
    ]);
  });

  it("in a posted month is invalid, as wrong values are", () => {
    const { carry } = postRun(profileWith({}), emptyCarry, "2027-03");
    const context = { id: "chg_1", at: new Date(0), by: { kind: "user", id: "usr_1" } } as const;
    const edit = { fields: { salvage: 5 }, effectiveOn: "2027-02-01" };
    expect(() =>
      changeProfile(profileWith({}), edit, { ...context, month: "2027-06", openFrom: "2027-04", carry }),
    ).toThrow(expect.objectContaining({ kind: "invalid", code: "PROFILE_PERIOD_POSTED" }));
  });

  it("of the opening to 0 clears its day, unless it is given", () => {
    const opened = profileWith({ openingAccumulated: 6_000, openingOn: "2027-03-01" });
    expect(change(opened, { fields: { openingAccumulated: 0 } })).toMatchObject({ openingOn: undefined });
    expect(change(opened, { fields: { openingAccumulated: 0, openingOn: "2027-04-01" } })).toEqual([
      ...["VALIDATION_FAILED", "opening_on is only for a profile with opening_accumulated"],
    ]);
    const given = change(profileWith({}), { fields: { openingAccumulated: 6_000 } });
    expect(given).toMatchObject({ openingOn: "2027-06-01" });
  });
});

describe("isPosted", () => {
  const charged = { ...emptyCarry, chargedThrough: "2027-03" };
  it.each([
    ["2027-03-01", "2027-04", charged, true],
    ["2027-04-01", "2027-04", charged, false],
    ["2027-03-01", undefined, charged, false],
    ["2027-03-01", "2027-04", emptyCarry, false],
  ] as const)("a change from %s with the book open from %s: %#", (effectiveOn, openFrom, carry, posted) => {
    expect(isPosted({ effectiveOn }, { openFrom, carry })).toBe(posted);
  });
});

describe("newProfile", () => {
  const inputs = inputsOf({ inServiceDate: "2027-01-15" });
  const given = {
    id: "prf_1",
    workspaceId: "wsp_1",
    assetId: "ast_1",
    book: "tax",
    fiscalYearStart: 4,
  } as const;
  const stamp = { id: "chg_1", at: new Date(0), by: { kind: "user", id: "usr_1" } } as const;

  it("has its inputs, and a creation with all of them", () => {
    const { at, by } = stamp;
    expect(newProfile({ ...inputs, rate: undefined }, given, stamp)).toEqual({
      ...{ ...inputs, ...given, rate: undefined, rev: 1 },
      ...{ createdAt: at, createdBy: by, updatedAt: at, updatedBy: by },
      changes: [{ ...stamp, fields: inputs, effectiveOn: "2027-01-01", countsFrom: "2027-01" }],
    });
  });

  it("has only the inputs that are given in its creation", () => {
    const [creation] = newProfile({ ...inputs, rate: undefined }, given, stamp).changes;
    expect(Object.keys(creation?.fields ?? {}).toSorted()).toEqual(Object.keys(inputs).toSorted());
  });

  it("counts from the opening, and in no posted month", () => {
    const opened = { ...inputs, openingAccumulated: 5, openingOn: "2027-05-01" };
    const [creation] = newProfile(opened, given, { ...stamp, openFrom: "2027-03" }).changes;
    expect(creation).toMatchObject({ effectiveOn: "2027-05-01", countsFrom: "2027-05" });
    const [late] = newProfile(inputs, given, { ...stamp, openFrom: "2027-03" }).changes;
    expect(late).toMatchObject({ effectiveOn: "2027-01-01", countsFrom: "2027-03" });
  });
});
