import { openProfiler } from "@asset-register/service-harness";
import { afterAll, expect, test } from "vitest";
import { scopeFields } from "../../src/domain/organisation/scope.ts";
import { createAssetDirectoryStore } from "../../src/store/assets/asset-directory.ts";
import { createAssetStore } from "../../src/store/assets/assets.ts";
import { createHistoryStore } from "../../src/store/assets/history.ts";
import { createCheckoutStore } from "../../src/store/custody/checkouts.ts";
import { createMovementStore } from "../../src/store/custody/movements.ts";
import { createOrganisationStore } from "../../src/store/organisation/organisation.ts";
import { makeAsset, seedWorkspace, startRegister } from "../support.ts";
import { copyAssets } from "./directory-support.ts";

type Row = { _id: string; workspaceId: string } & Record<string, unknown>;
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const register = await startRegister();
const home = await seedWorkspace(register);
const profiler = await openProfiler(register.mongo.database);
const first = await makeAsset(register, home);
const fields = (index: number) =>
  Object.fromEntries(Object.values(scopeFields).map((field) => [field, `r_${index % 40}`]));
const ids = await copyAssets(
  register,
  home,
  first,
  Array.from({ length: 400 }, (_, index) => ({
    ...{ ...fields(index), updatedAt: at(index) },
    ...(index % 40 === 0 && { lastSeen: { at: at(0), readerId: "r" } }),
  })),
);
// Each asset has 20 rows of each kind.
const rows = (make: (index: number) => object) =>
  Array.from({ length: 8_000 }, (_, index) => ({
    ...{ _id: `row_${String(index).padStart(5, "0")}`, workspaceId: home.id },
    ...{ assetId: ids[index % 400], at: at(index), causeId: `cause_${index}`, ...make(index) },
  }));
const insert = (name: string, make: (index: number) => object = () => ({})) =>
  register.mongo.collection<Row>(name).insertMany(rows(make));
await insert("movements");
await insert("asset_history", (index) => ({ action: index % 2 === 0 ? "status" : "updated", changes: [] }));
await insert("checkouts", (index) => ({ status: "returned", issuedAt: at(index), returnedAt: at(index) }));
await insert("organisation", (index) => ({ parentId: `r_${index % 400}`, deleted: false }));
afterAll(async () => {
  await profiler.close();
  await register.stop();
});

const collections = ["assets", "movements", "asset_history", "checkouts", "organisation"];
const profile = (run: () => Promise<unknown>) => profiler.operationsOf(collections, run);

/** Reads of at most 40 documents, by the index of each query. */
const reads: [string, string, number, () => Promise<unknown>][] = [
  ["last movements", "DISTINCT_SCAN", 20, () => movements().lastAt(home.id, some(), at(4_000))],
  ["next movements", "DISTINCT_SCAN", 20, () => movements().firstAfter(home.id, some(), at(4_000))],
  ["last statuses", "DISTINCT_SCAN", 20, () => history().lastStatusAt(home.id, some(), at(4_000))],
  ["next statuses", "DISTINCT_SCAN", 20, () => history().firstStatusAfter(home.id, some(), at(4_000))],
  ["an effect", "causeId: 1", 1, () => inSession((s) => history().getByCause(home.id, "cause_7", s))],
  ["its movement", "causeId: 1", 1, () => inSession((s) => movements().getByCause(home.id, "cause_7", s))],
  [
    "movements of a time",
    "at: 1",
    40,
    () => inSession((s) => movements().within(home.id, some(), { since: at(0), until: at(799) }, 100, s)),
  ],
  [
    "checkouts of a time",
    "assetId: 1",
    20,
    () =>
      inSession((s) =>
        checkouts().overlapping(home.id, some(), { since: at(7_600), until: at(9_000) }, 100, s),
      ),
  ],
  ["open checkouts", "assetId: 1", 0, () => checkouts().openOf(home.id, some())],
  ["children of records", "parentId: 1", 20, () => organisation().childIds(home.id, ["r_1"], 100)],
  ["changes", "updatedAt: 1", 10, () => directory().listChanged(home.id, { since: at(10), limit: 10 })],
  [
    "changes after a position",
    "updatedAt: 1",
    10,
    () => directory().listChanged(home.id, { after: { at: at(10), id: "a" }, limit: 10 }),
  ],
  [
    "assets below a place",
    "floorId: 1",
    10,
    () => assets().listPlaces(home.id, "floorId", ["r_1", "r_2"], { reference: "r_1", assetId: "a" }, 10),
  ],
  [
    "assets that refer to a record",
    "floorId: 1",
    0,
    () => assets().countReferring(home.id, "floorId", ["r_1"]),
  ],
  [
    "assets in use that refer to a record",
    "floorId: 1",
    0,
    () => assets().countReferring(home.id, "floorId", ["r_1"], { inUse: true, limit: 5 }),
  ],
  ["assets of each record", "floorId: 1", 0, () => assets().countByReference(home.id, "floorId")],
  ["last sightings", "live: 1", 10, () => directory().listSeen(home.id, undefined, 20)],
];
const some = () => ids.slice(100, 120);
const assets = () => createAssetStore(register.mongo);
const movements = () => createMovementStore(register.mongo);
const history = () => createHistoryStore(register.mongo);
const checkouts = () => createCheckoutStore(register.mongo);
const organisation = () => createOrganisationStore(register.mongo);
const directory = () => createAssetDirectoryStore(register.mongo);
const inSession = (run: Parameters<typeof register.mongo.transaction>[1]) =>
  register.mongo.transaction({}, run);

test.each(reads)("%s are read by their index, without a sort", async (_what, index, most, read) => {
  const operations = await profile(read);
  expect(operations.length).toBeGreaterThan(0);
  for (const { planSummary, hasSortStage, docsExamined } of operations) {
    expect(planSummary).toContain("workspaceId: 1");
    expect(planSummary).toContain(index);
    expect(hasSortStage ?? false).toBe(false);
    expect(docsExamined).toBeLessThanOrEqual(most);
  }
});

test.each([undefined, ...Object.values(scopeFields)])(
  "a scope by %s is counted and paged in its index; only the page's documents are read",
  async (field) => {
    const scope = field && { field, ids: new Set(["r_1", "r_2", "r_3"]) };
    const query = { scope, statusIds: ["sta_1", "sta_2"] };
    const [count] = await profile(() => directory().countScope(home.id, query));
    expect(count?.planSummary).toContain(`live: 1, ${field ? `${field}: 1, ` : ""}_id: 1, statusId: 1`);
    expect(count?.docsExamined).toBe(0);
    const page = { scope, limit: 10 };
    const operations = await profile(() => inSession((s) => directory().listScope(home.id, page, s)));
    const examined = operations.map(({ docsExamined }) => docsExamined);
    expect(examined).toEqual([0, 10]);
    expect(operations[0]?.planSummary).toContain("live: 1");
    expect(operations[0]?.hasSortStage ?? false).toBe(false);
  },
);
