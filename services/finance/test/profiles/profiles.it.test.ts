import { eventually } from "@asset-register/harness";
import { Book } from "@asset-register/proto/assetregister/finance/v1/book_pb";
import { DepreciationMethod } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { DepreciationConvention } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { newId, requireFound, unavailable } from "@asset-register/runtime";
import { codeOf, failure } from "@asset-register/service-harness";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterEach, expect, test } from "vitest";
import { runCalls } from "../runs/run-support.ts";
import { eur, newWorkspace, sharedFinance } from "../support.ts";
import { profileCalls, sameAsProfile, straightLine } from "./profile-support.ts";

const finance = await sharedFinance(() => new Date("2026-03-15T12:00:00Z"));
const workspace = await newWorkspace(finance);
const { register } = finance;
afterEach(() => register.onChange(async () => undefined));
const calls = profileCalls(finance, workspace);
const { newAsset, projected, handled, profiles, profileOf, publishAsset, save } = calls;
const { published, eventuallyProfile } = calls;

test("a profile is made straight after its asset, its fields are written to register first", async () => {
  const assetId = newAsset();
  const { profile, created } = await save({ assetId, fields: { ...sameAsProfile, salvage: eur("0.00") } });
  expect(created).toBe(true);
  expect(profile).toMatchObject({
    ...{ assetId, book: Book.BOOK, rev: 1, assetRev: 2, lifeMonths: 12, fiscalYearStart: 1 },
    method: DepreciationMethod.STRAIGHT_LINE,
    convention: DepreciationConvention.FULL_MONTH,
    cost: eur("1200.00"),
    changes: [{ effectiveOn: "2026-01-01", by: { id: expect.stringMatching(/^usr_/) } }],
  });
  expect(register.get(workspace.id, assetId)).toMatchObject({ rev: 2, cost: eur("1200.00") });
  const read = await profiles.getProfile({ id: profile?.id ?? "" }, workspace.accountant);
  expect(read.profile).toEqual(profile);
  await published(assetId, (state) =>
    expect(state).toMatchObject({ change: "profileChanged", nbv: 120_000n, accumulated: 0n, sequence: 1 }),
  );
  await eventually(() => {
    const entries = finance.auditEntries(workspace.id).filter(({ subjectId }) => subjectId === profile?.id);
    expect(entries).toMatchObject([
      {
        action: "depr_profile.created",
        changes: { cost: [undefined, "1200.00"], book: [undefined, "book"] },
      },
    ]);
  });

  const again = await save({ assetId, fields: sameAsProfile });
  expect(again).toMatchObject({ created: false, profile: { rev: 1 } });
  const changed = await save({ assetId, fields: { salvage: eur("100.00") }, ifRevIn: [1] });
  expect(changed).toMatchObject({ created: false, profile: { rev: 2, assetRev: 3, salvage: eur("100.00") } });
  expect(changed.profile?.changes).toMatchObject([{}, { fields: { salvage: eur("100.00") } }]);
});

test("the event of the asset that a change wrote changes nothing", async () => {
  const assetId = newAsset();
  await save({ assetId, fields: sameAsProfile });
  await publishAsset(assetId);
  // A later event, so that the one before has been handled.
  await publishAsset(assetId, { usefulLifeMonths: 24, rev: 3 });
  const changes = await eventuallyProfile(assetId, ({ lifeMonths, changes }) => {
    expect(lifeMonths).toBe(24);
    return changes;
  });
  expect(changes.map(({ fields }) => fields?.lifeMonths)).toEqual([12, 24]);
});

test("the own event comes before the answer: one change, made by the caller", async () => {
  const assetId = await projected();
  register.onChange(async (after) => {
    await publishAsset(after.id);
    await eventually(async () =>
      requireFound(await finance.stores.profiles.ofAsset(workspace.id, "book", after.id)),
    );
  });
  const { created, profile } = await save({
    assetId,
    fields: { ...sameAsProfile, convention: DepreciationConvention.DAILY },
  });
  register.onChange(async () => undefined);
  expect(created).toBe(true);
  expect(profile).toMatchObject({
    changes: [{ by: { id: expect.stringMatching(/^usr_/) } }],
    convention: DepreciationConvention.DAILY,
  });
});

test("the own event comes first: what it seeds does not override the caller", async () => {
  const eventFirst = async (fields: { rate: number } | { factor: number }) => {
    const assetId = await projected();
    register.onChange(async (after) => {
      await publishAsset(after.id);
      await eventually(async () =>
        requireFound(await finance.stores.profiles.ofAsset(workspace.id, "book", after.id)),
      );
    });
    const declining = { ...sameAsProfile, method: DepreciationMethod.DECLINING_BALANCE };
    const { profile } = await save({ assetId, fields: { ...declining, ...fields } });
    register.onChange(async () => undefined);
    return profile;
  };
  // A seeded profile has factor 2 and switches to straight line.
  const byRate = await eventFirst({ rate: 50 });
  expect(byRate).toMatchObject({ rate: 50, switchToSl: false });
  expect(byRate?.factor).toBeUndefined();
  expect(await eventFirst({ factor: 1.5 })).toMatchObject({ factor: 1.5, switchToSl: false });
});

test("the own event comes first on a profile with posted rows: the change keeps the caller's effective_on", async () => {
  const home = await newWorkspace(finance);
  const own = profileCalls(finance, home);
  const { draft, post, ended } = runCalls(finance, home);
  const assetId = await own.projected({ ...straightLine });
  const { id } = await draft(1);
  await post(id);
  await ended(id);
  register.onChange(async (after) => {
    await own.publishAsset(after.id);
    await own.eventuallyProfile(after.id, ({ cost }) => expect(cost?.minorUnits).toBe(150_000n));
  });
  const change = { assetId, fields: { cost: eur("1500.00") }, effectiveOn: "2026-04-01" };
  const { profile } = await own.save(change);
  register.onChange(async () => undefined);
  expect(profile?.changes.map(({ effectiveOn }) => effectiveOn)).toEqual(["2026-01-01", "2026-04-01"]);
  const again = await own.save({ ...change, effectiveOn: "2026-03-01" });
  expect(again.profile?.changes.map(({ effectiveOn }) => effectiveOn)).toEqual(["2026-01-01", "2026-03-01"]);
  const opening = { openingAccumulated: eur("10.00") };
  expect((await failure(own.save({ assetId, fields: opening })))?.violations).toMatchObject([
    { field: "opening_accumulated" },
  ]);
});

test("a call that fails after register was changed and its event was applied: its repeat keeps effective_on", async () => {
  const assetId = await projected({ ...straightLine });
  await eventuallyProfile(assetId, () => undefined);
  register.onChange(async (after) => {
    await publishAsset(after.id);
    await eventuallyProfile(after.id, ({ cost }) => expect(cost?.minorUnits).toBe(150_000n));
    throw unavailable();
  });
  const change = { assetId, fields: { cost: eur("1500.00") }, effectiveOn: "2026-04-01" };
  const keyed = { ...workspace.accountant, idempotencyKey: newId("key") };
  expect(await codeOf(profiles.saveProfile(change, keyed))).toBe("UNAVAILABLE");
  register.onChange(async () => undefined);
  const { profile } = await profiles.saveProfile(change, keyed);
  expect(profile).toMatchObject({ cost: eur("1500.00"), changes: [{}, { effectiveOn: "2026-04-01" }] });
});

test("an event with a higher rev in between: its values stay", async () => {
  const assetId = await projected({ ...straightLine });
  await eventuallyProfile(assetId, () => undefined);
  register.onChange(async (after) => {
    await publishAsset(after.id, { cost: eur("900.00"), rev: after.rev + 1 });
    await eventuallyProfile(after.id, ({ cost }) => expect(cost?.minorUnits).toBe(90_000n));
  });
  const { profile } = await save({ assetId, fields: { cost: eur("1500.00"), salvage: eur("50.00") } });
  register.onChange(async () => undefined);
  expect(profile).toMatchObject({ cost: eur("900.00"), assetRev: 3 });
  await published(assetId, ({ nbv }) => expect(nbv).toBe(90_000n));
});

test("a change of the asset whose event is still on its way is in the profile, although its event has a lower rev", async () => {
  const assetId = await projected(straightLine);
  await eventuallyProfile(assetId, ({ assetRev }) => expect(assetRev).toBe(1));
  // Register has a new cost, and its event comes late.
  register.put(workspace.id, { id: assetId, cost: eur("900.00"), rev: 2 });
  const { profile } = await save({ assetId, fields: { lifeMonths: 36 } });
  expect(profile).toMatchObject({ cost: eur("900.00"), lifeMonths: 36, assetRev: 3 });
  await publishAsset(assetId);
  await handled(assetId);
  expect(await profileOf(assetId)).toMatchObject({ cost: eur("900.00"), lifeMonths: 36, rev: profile?.rev });
});

test("two first POSTs at once: one profile; one of them made it", async () => {
  const assetId = await projected();
  const answers = await Promise.all([
    save({ assetId, fields: { ...sameAsProfile, convention: DepreciationConvention.DAILY } }),
    save({ assetId, fields: { ...sameAsProfile, convention: DepreciationConvention.MID_MONTH } }),
  ]);
  expect(answers.map(({ created }) => created).sort()).toEqual([false, true]);
  const stored = requireFound(await profileOf(assetId));
  expect(stored.rev).toBe(2);
  expect(new Set(answers.map(({ profile }) => profile?.id))).toEqual(new Set([stored.id]));
});

test("a tax profile has its own values and does not touch register", async () => {
  const assetId = await projected({ ...straightLine });
  const before = register.get(workspace.id, assetId);
  const request = { assetId, book: Book.TAX };
  const missing = await failure(save({ ...request, fields: {} }));
  expect(missing?.violations.map(({ field }) => field)).toEqual(["method", "cost", "in_service_date"]);
  const fields = {
    method: DepreciationMethod.MACRS,
    macrsClass: "5y",
    cost: eur("1000.00"),
    inServiceDate: "2026-02-01",
  };
  const { profile } = await save({ ...request, fields });
  expect(profile).toMatchObject({ book: Book.TAX, convention: DepreciationConvention.HALF_YEAR });
  expect(profile?.assetRev).toBeUndefined();
  expect(register.get(workspace.id, assetId)).toEqual(before);
  expect(await eventuallyProfile(assetId, ({ method }) => method)).toBe(DepreciationMethod.STRAIGHT_LINE);
});

test("refusals: the order is 404, 412, 409, and nothing is written to register before", async () => {
  const assetId = await projected();
  const before = register.requests.length;
  const fields = sameAsProfile;
  expect(await codeOf(save({ assetId: newId("ast"), fields, ifRevIn: [1] }))).toBe("NOT_FOUND");
  expect(await codeOf(save({ assetId, fields, ifRevIn: [1] }))).toBe("PRECONDITION_FAILED");
  const wrong = await failure(save({ assetId, fields: { ...fields, salvage: eur("1200.01") } }));
  expect(wrong?.violations.map(({ field }) => field)).toEqual(["salvage"]);
  const early = await failure(save({ assetId, fields, effectiveOn: "2026-05-01" }));
  expect(early?.violations.map(({ field }) => field)).toEqual(["effective_on"]);
  const others = await newWorkspace(finance);
  expect(await codeOf(profiles.saveProfile({ assetId, fields }, others.accountant))).toBe("NOT_FOUND");
  expect(register.requests).toHaveLength(before);

  const own = requireFound((await save({ assetId, fields })).profile);
  expect(await codeOf(profiles.getProfile({ id: own.id }, others.accountant))).toBe("NOT_FOUND");
  expect(await codeOf(profiles.listProfiles({ assetId }, others.accountant))).toBe("NOT_FOUND");
  expect(await codeOf(profiles.getProfile({ id: own.id }, workspace.viewer))).toBe("FORBIDDEN");
  register.put(workspace.id, { id: assetId, deletedAt: timestampFromDate(new Date()) });
  await publishAsset(assetId);
  await eventually(async () => expect(await codeOf(save({ assetId, fields }))).toBe("NOT_FOUND"));
  expect((await profileOf(assetId))?.id).toBe(own.id);
  await published(assetId, (state) => expect(state).toMatchObject({ change: "deleted", isDeleted: true }));
});

test("a change reaches no posted month: 422 names the field; by default it begins after the last one", async () => {
  const home = await newWorkspace(finance);
  const own = profileCalls(finance, home);
  const { draft, post, ended, read } = runCalls(finance, home);
  const assetId = await own.projected({ ...straightLine });
  const { id } = await draft(2);
  await post(id);
  await ended(id);
  const refused = async (change: Omit<Parameters<typeof save>[0], "assetId">) => {
    const error = await failure(own.save({ assetId, ...change }));
    return [error?.code, error?.violations.map(({ field }) => field)];
  };
  const code = "PROFILE_PERIOD_POSTED";
  const salvage = eur("10.00");
  expect(await refused({ fields: { salvage }, effectiveOn: "2026-02-01" })).toEqual([code, ["effective_on"]]);
  const impairment = { amount: eur("100.00"), on: "2026-02-28" };
  expect(await refused({ fields: { impairment } })).toEqual([code, ["impairment.on"]]);
  expect(await refused({ fields: { heldForSaleOn: "2026-02-28" } })).toEqual([code, ["held_for_sale_on"]]);
  expect(await refused({ fields: { salvage }, effectiveOn: "2026-03-02" })).toEqual([
    ...["VALIDATION_FAILED", ["effective_on"]],
  ]);
  expect(await refused({ fields: { cost: eur("199.99") } })).toEqual(["VALIDATION_FAILED", ["cost"]]);

  const next = await draft(3);
  const later = await own.projected({ ...straightLine, inServiceDate: "2026-04-01" });
  await own.eventuallyProfile(later, () => undefined);
  // It takes effect after the month of the draft.
  await own.save({ assetId, fields: { salvage }, effectiveOn: "2026-04-01" });
  expect((await read(next.id)).stale).toBe(false);
  const { profile } = await own.save({
    assetId,
    fields: { impairment: { ...impairment, on: "2026-03-10" } },
  });
  expect(profile?.changes.at(-1)).toMatchObject({
    effectiveOn: "2026-03-01",
    fields: { impairment: { on: "2026-03-10" } },
  });
  expect((await read(next.id)).stale).toBe(true);
});

test("register unavailable: a profile of book `book` is UNAVAILABLE, one of `tax` is stored", async () => {
  const assetId = await projected();
  register.onChange(async () => {
    throw unavailable();
  });
  expect(await codeOf(save({ assetId, fields: sameAsProfile }))).toBe("UNAVAILABLE");
  register.onChange(async () => undefined);
  expect(await profileOf(assetId)).toBeUndefined();
  expect((await save({ assetId, book: Book.TAX, fields: sameAsProfile })).created).toBe(true);
});
