import { eventually } from "@asset-register/harness";
import { DepreciationMethod } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import {
  DepreciationConvention,
  OrganisationKind,
} from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { Resolution, VarianceKind } from "@asset-register/proto/assetregister/stocktake/v1/variance_pb";
import { topics } from "@asset-register/proto/topics";
import { newId, requireFound } from "@asset-register/runtime";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { republish } from "../../src/republish.ts";
import { runCalls } from "../runs/run-support.ts";
import { assetEvent, eur, newWorkspace, sharedFinance } from "../support.ts";
import { lastState, profileCalls, straightLine } from "./profile-support.ts";

const finance = await sharedFinance(() => new Date("2026-03-15T12:00:00Z"));
const workspace = await newWorkspace(finance, { fiscalYearStart: 4 });
const { publish, register, stores } = finance;
const calls = profileCalls(finance, workspace);
const { projected, handled, profileOf, publishAsset, published, eventuallyProfile } = calls;

type Defaults = { method?: DepreciationMethod; usefulLifeMonths?: number; salvagePercent?: number };

/** Publishes a category and waits for it. */
async function category(
  { parentId, sequence = 1, ...depreciation }: Defaults & { parentId?: string; sequence?: number },
  id = newId("cat"),
): Promise<string> {
  const given = Object.keys(depreciation).length > 0;
  await publish({
    ...{ topic: topics.organisation, workspaceId: workspace.id, subject: id, sequence },
    type: "organisation.updated",
    message: {
      state: {
        ...{ id, kind: OrganisationKind.CATEGORY, name: "Presses", parentId, rev: sequence },
        ...(given && { depreciation: { ...depreciation, convention: DepreciationConvention.DAILY } }),
      },
      change: { case: "updated", value: {} },
    },
  });
  await eventually(async () => {
    const row = await finance.mongo.collection("categories").findOne({ _id: id, workspaceId: workspace.id });
    expect(row).toMatchObject({ sourceSequence: sequence });
  });
  return id;
}

test("the fields of an asset make its profile, the nearest category with defaults gives what it leaves out", async () => {
  const top = await category({
    method: DepreciationMethod.STRAIGHT_LINE,
    usefulLifeMonths: 60,
    salvagePercent: 10,
  });
  const categoryId = await category({ parentId: top });
  const assetId = await projected({ categoryId, cost: eur("999.99"), inServiceDate: "2026-01-01" });
  await eventuallyProfile(assetId, (profile) =>
    expect(profile).toMatchObject({
      ...{ lifeMonths: 60, salvage: eur("100.00"), assetRev: 1, fiscalYearStart: 4 },
      ...{ method: DepreciationMethod.STRAIGHT_LINE, convention: DepreciationConvention.DAILY },
    }),
  );
  await published(assetId, (state) => expect(state).toMatchObject({ nbv: 99_999n, sequence: 1 }));
  // A later change of the category changes no profile, an empty field neither, a written one does.
  await category({ method: DepreciationMethod.STRAIGHT_LINE, usefulLifeMonths: 24, sequence: 2 }, top);
  await publishAsset(assetId, { name: "Other" });
  await publishAsset(assetId, { cost: eur("500.00") });
  await eventuallyProfile(assetId, (profile) =>
    expect(profile).toMatchObject({ cost: eur("500.00"), lifeMonths: 60, salvage: eur("100.00"), rev: 2 }),
  );
  await published(assetId, (state) => expect(state).toMatchObject({ nbv: 50_000n, sequence: 2 }));
});

test("repeats and older events change nothing; values that make no valid profile leave it until they are corrected", async () => {
  const assetId = await projected({ ...straightLine });
  const first = requireFound(register.get(workspace.id, assetId));
  await publishAsset(assetId, { usefulLifeMonths: 24 });
  await eventuallyProfile(assetId, ({ lifeMonths }) => expect(lifeMonths).toBe(24));
  await publish(assetEvent(workspace.id, first), assetEvent(workspace.id, first));
  await publishAsset(assetId, { salvageValue: eur("5000.00") });
  const stored = () => stores.profiles.ofAsset(workspace.id, "book", assetId);
  await eventually(async () =>
    expect(await stored()).toMatchObject({ invalidInput: true, salvage: 0, lifeMonths: 24 }),
  );
  await publishAsset(assetId, { salvageValue: eur("50.00") });
  await eventually(async () => expect(await stored()).toMatchObject({ salvage: 5_000, lifeMonths: 24 }));
  expect((await stored())?.invalidInput).toBeUndefined();
});

test("macrs and units of production are never seeded; a run makes what became possible later", async () => {
  const { draft, lines } = runCalls(finance, workspace);
  const macrs = await projected({ ...straightLine, depreciationMethod: DepreciationMethod.MACRS });
  const categoryId = await category({});
  const late = await projected({ cost: eur("120.00"), inServiceDate: "2026-01-01", categoryId });
  await handled(late);
  await category({ method: DepreciationMethod.STRAIGHT_LINE, usefulLifeMonths: 12, sequence: 2 }, categoryId);
  expect(await profileOf(late)).toBeUndefined();
  const run = await draft(1);
  expect(run.skipped).toEqual(
    expect.arrayContaining([expect.objectContaining({ assetId: macrs, reason: "NO_PROFILE" })]),
  );
  // Daily, 31 of 365 days.
  expect((await lines(run.id, { assetId: late })).lines).toMatchObject([{ amount: eur("10.19") }]);
});

test("a run applies what register has before its events arrive; an older event changes nothing then", async () => {
  const home = await newWorkspace(finance);
  const own = profileCalls(finance, home);
  const { draft, lines, discard } = runCalls(finance, home);
  const assetId = own.newAsset({ ...straightLine });
  const first = requireFound(register.get(home.id, assetId));
  register.put(home.id, { id: assetId, cost: eur("600.00") });
  const run = await draft(1);
  expect((await lines(run.id)).lines).toMatchObject([{ assetId, amount: eur("50.00") }]);
  await publish(assetEvent(home.id, first));
  await own.handled(assetId);
  expect(await stores.assets.get(home.id, assetId)).toMatchObject({ rev: 2, cost: 60_000 });
  expect(await own.profileOf(assetId)).toMatchObject({ cost: eur("600.00"), rev: 1 });
  await discard(run.id);
  // The event of the same rev, and one of an epoch after it.
  await own.publishAsset(assetId);
  const republished = { id: assetId, rev: 2, ...straightLine, cost: eur("700.00") };
  await publish({ ...assetEvent(home.id, republished), epoch: 5 });
  await own.eventuallyProfile(assetId, ({ cost }) => expect(cost).toMatchObject(eur("600.00")));
  await eventually(async () =>
    expect(await stores.assets.get(home.id, assetId)).toMatchObject({ cost: 70_000 }),
  );
});

test("a write-off is pending until another status or the disposal; a repeat has no effect after that", async () => {
  const assetId = await projected({ ...straightLine, statusId: "sta_lost" });
  await eventuallyProfile(assetId, () => undefined);
  let sequence = 0;
  const writeOff = (assetRev: number) =>
    publish({
      ...{ topic: topics.stocktake, workspaceId: workspace.id, subject: "sts_1", sequence: ++sequence },
      type: "stocktake.variance_resolved",
      message: {
        state: { id: "sts_1" },
        change: {
          case: "varianceResolved",
          value: {
            ...{ varianceId: "var_1", assetId, assetRev },
            ...{ kind: VarianceKind.MISSING, resolution: Resolution.WRITTEN_OFF },
          },
        },
      },
    });
  await writeOff(1);
  await published(assetId, (state) =>
    expect(state).toMatchObject({
      change: "writeOffChanged",
      pendingWriteOff: true,
      nbv: 120_000n,
      sequence: 2,
    }),
  );
  // Still lost.
  await publishAsset(assetId, { name: "Lost press", statusKey: "lost" });
  await publishAsset(assetId, { name: "Found press", statusKey: "in_stock" });
  await published(assetId, (state) => expect(state).toMatchObject({ pendingWriteOff: false, sequence: 3 }));
  await writeOff(1);
  await writeOff(3);
  await published(assetId, (state) => expect(state).toMatchObject({ pendingWriteOff: true, sequence: 4 }));
});

test("a deleted asset ends its profile and is published once more; all states can be republished", async () => {
  const assetId = await projected({ ...straightLine });
  await published(assetId, ({ sequence }) => expect(sequence).toBe(1));
  await publishAsset(assetId, { deletedAt: timestampFromDate(new Date()) });
  await published(assetId, (state) =>
    expect(state).toMatchObject({ change: "deleted", isDeleted: true, sequence: 2, nbv: 120_000n }),
  );
  expect((await stores.profiles.ofAsset(workspace.id, "book", assetId))?.endedAt).toBeDefined();
  const read = requireFound(republish[topics.depreciation.name]);
  const page = await finance.mongo.transaction({}, (session) =>
    read({ mongo: finance.mongo, session, workspaceId: workspace.id, after: undefined, limit: 100 }),
  );
  expect(page.events.find(({ subject }) => subject === assetId)).toMatchObject({
    ...{ sequence: 2, message: { state: { pendingWriteOff: false, deletedAt: expect.anything() } } },
  });
  expect(lastState(finance, assetId).sequence).toBe(2);
});
