import { describe, expect, it } from "vitest";
import { inputsOf, postRun, profileWith } from "../../../test/schedules.ts";
import { emptyCarry } from "../ledger/ledger.ts";
import { nextPeriod } from "../schedule/period.ts";
import { type ChangeContext, changeProfile, type ProfileEdit } from "./change-profile.ts";
import { completeInputs, seedInputs } from "./complete-inputs.ts";
import type { Profile, ProfileInputs } from "./profile.ts";
import { validateInputs } from "./validate-inputs.ts";

const fieldsOf = (inputs: Partial<ProfileInputs>) =>
  validateInputs(inputsOf(inputs)).map(({ field }) => field);

describe("the inputs of a profile", () => {
  const refused: [string, Partial<ProfileInputs>, string[]][] = [
    ["a salvage above the cost", { salvage: 120_001 }, ["salvage"]],
    [
      "an opening above cost less salvage",
      { salvage: 20_000, openingAccumulated: 100_001 },
      ["opening_accumulated"],
    ],
    ["opening_on without an opening", { openingOn: "2027-02-01" }, ["opening_on"]],
    ["opening_on before in service", { openingAccumulated: 1, openingOn: "2026-12-31" }, ["opening_on"]],
    ["no life", { lifeMonths: undefined }, ["life_months"]],
    ["a life of 0", { lifeMonths: 0 }, ["life_months"]],
    ["a life of 1201", { lifeMonths: 1201 }, ["life_months"]],
    [
      "no whole years of sum of years' digits",
      { method: "sum_of_years_digits", lifeMonths: 30 },
      ["life_months"],
    ],
    ["a factor of straight line", { factor: 2 }, ["factor"]],
    ["factor and rate", { method: "declining_balance", factor: 2, rate: 20 }, ["rate"]],
    ["an unknown factor", { method: "declining_balance", factor: 3 }, ["factor"]],
    ["a rate of 0", { method: "declining_balance", rate: 0 }, ["rate"]],
    ["a rate above 100", { method: "declining_balance", rate: 100.5 }, ["rate"]],
    ["macrs without a class", { method: "macrs", convention: "half_year" }, ["macrs_class"]],
    ["a class of straight line", { macrsClass: "5y" }, ["macrs_class"]],
    ["macrs 5y with full_month", { method: "macrs", macrsClass: "5y" }, ["convention"]],
    [
      "macrs 5y with mid_month",
      { method: "macrs", macrsClass: "5y", convention: "mid_month" },
      ["convention"],
    ],
    [
      "macrs 39y with half_year",
      { method: "macrs", macrsClass: "39y", convention: "half_year" },
      ["convention"],
    ],
    ["units of production without units", { method: "units_of_production" }, ["total_units"]],
    ["units of straight line", { totalUnits: 5 }, ["total_units"]],
  ];
  it.each(refused)("%s is refused", (_title, inputs, fields) => expect(fieldsOf(inputs)).toEqual(fields));

  const accepted: [string, Partial<ProfileInputs>][] = [
    ["a base of 0", { salvage: 120_000 }],
    [
      "macrs 39y with mid_month, no life, a salvage above the cost",
      {
        method: "macrs",
        macrsClass: "39y",
        convention: "mid_month",
        lifeMonths: undefined,
        salvage: 500_000,
      },
    ],
    ["a rate with 4 decimals", { method: "declining_balance", rate: 33.3333 }],
    ["manual without a life", { method: "manual", lifeMonths: undefined }],
  ];
  it.each(accepted)("%s is valid", (_title, inputs) => expect(fieldsOf(inputs)).toEqual([]));

  it("get defaults: the convention by method, factor 2 with a switch, the opening from the present month", () => {
    const given = { cost: 1000, lifeMonths: 24, inServiceDate: "2026-01-10" } as const;
    expect(completeInputs({ ...given, method: "declining_balance" }, "2027-03").inputs).toMatchObject({
      ...{ convention: "full_month", factor: 2, switchToSl: true, salvage: 0, openingAccumulated: 0 },
    });
    expect(
      completeInputs({ ...given, method: "declining_balance", rate: 20 }, "2027-03").inputs,
    ).toMatchObject({ switchToSl: false });
    expect(
      completeInputs({ ...given, method: "macrs", macrsClass: "39y" }, "2027-03").inputs?.convention,
    ).toBe("mid_month");
    const opened = { ...given, method: "straight_line", openingAccumulated: 5 } as const;
    expect(completeInputs(opened, "2027-03").inputs?.openingOn).toBe("2027-03-01");
    expect(completeInputs({ ...opened, inServiceDate: "2027-05-20" }, "2027-03").inputs?.openingOn).toBe(
      "2027-05-20",
    );
    expect(completeInputs({ cost: 5 }, "2027-03").violations?.map(({ field }) => field)).toEqual([
      "method",
      "in_service_date",
    ]);
  });

  it("are seeded once cost, life, in-service date and method are known, with what the category gives", () => {
    const asset = { cost: 10_005, inServiceDate: "2027-01-05" };
    const category = {
      method: "straight_line",
      usefulLifeMonths: 36,
      salvagePercent: 10,
      convention: "daily",
    } as const;
    expect(seedInputs(asset, undefined, "2027-01")).toBeUndefined();
    expect(seedInputs(asset, category, "2027-01")?.inputs).toMatchObject({
      salvage: 1001,
      lifeMonths: 36,
      convention: "daily",
    });
    expect(seedInputs({ ...asset, salvageValue: 7 }, category, "2027-01")?.inputs?.salvage).toBe(7);
    expect(seedInputs(asset, { ...category, method: "macrs" }, "2027-01")).toBeUndefined();
    expect(seedInputs({ ...asset, salvageValue: 20_000 }, category, "2027-01")?.violations).toHaveLength(1);
  });
});

describe("a change of a profile", () => {
  /** After a run up to a month, or without any. */
  function change(profile: Profile, edit: ProfileEdit, posted?: string): Profile | string[] {
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
      },
    };
    try {
      return changeProfile(profile, edit, context);
    } catch (error) {
      const { code, violations } = error as { code: string; violations: { field: string }[] };
      return [code, ...violations.map(({ field }) => field)];
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
    const cases: [ProfileEdit, string[]][] = [
      [{ fields: { salvage: 5 }, effectiveOn: "2027-03-01" }, ["PROFILE_PERIOD_POSTED", "effective_on"]],
      [{ fields: { heldForSaleOn: "2027-03-31" } }, ["PROFILE_PERIOD_POSTED", "held_for_sale_on"]],
      [
        { fields: {}, impairment: { amount: 1, on: "2027-03-31" } },
        ["PROFILE_PERIOD_POSTED", "impairment.on"],
      ],
      [{ fields: { salvage: 5 }, effectiveOn: "2027-05-02" }, ["VALIDATION_FAILED", "effective_on"]],
      [{ fields: { cost: 9998 } }, ["VALIDATION_FAILED", "cost"]],
      [{ fields: { openingAccumulated: 5 } }, ["PROFILE_PERIOD_POSTED", "opening_accumulated"]],
      [
        { fields: {}, impairment: { amount: 110_002, on: "2027-04-20" } },
        ["VALIDATION_FAILED", "impairment.amount"],
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
    expect(change(profileWith({}), { fields: { factor: 2 } })).toEqual(["VALIDATION_FAILED", "factor"]);
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
      "VALIDATION_FAILED",
      "impairment",
    ]);
  });
});
