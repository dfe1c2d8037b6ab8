import { CheckoutStatus, IssuedToType } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { newId } from "@asset-register/runtime";
import { openProfiler } from "@asset-register/service-harness";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, expect, test } from "vitest";
import { createAssetTagStore } from "../../src/store/assets/asset-tags.ts";
import { createLabelledAssetStore } from "../../src/store/labels/labelled-assets.ts";
import { type AssetListRequest, makeAsset, seedWorkspace, startRegister } from "../support.ts";

const register = await startRegister();
const home = await seedWorkspace(register);
const profiler = await openProfiler(register.mongo.database);
const assetId = await makeAsset(register, home);
const issued = { assetId, issuedToType: IssuedToType.EXTERNAL, issuedToName: "Acme" };
const due = { case: "dueAt", value: timestampFromDate(new Date(0)) } as const;
await register.custody.createCheckout({ ...issued, due }, home.admin);
await multiply("assets", (index) => ({
  ...{
    numberKey: `n${index}`,
    numberKeys: [`n${index}`],
    nameKey: `name ${index % 40}`,
    tokens: [`t${index}`, "all"],
  },
  ...{ updatedAt: new Date(index), deleted: index % 8 === 0 },
  ...Object.fromEntries(
    ["categoryId", "propertyId", "locationId", "statusId", "custodianId"].map((field) => [
      field,
      `${field}_${index % 40}`,
    ]),
  ),
}));
await multiply("checkouts", (index) => ({
  ...{ assetId: `asset_${index}`, issuedToId: `holder_${index % 40}` },
  ...(index % 40 > 0 && { status: "returned", dueAt: new Date() }),
}));
const movement = { workspaceId: home.id, assetId, reason: "movement", at: new Date(), by: {} };
await raw("movements").insertOne({ ...movement, _id: "mov_0" });
await multiply("movements", (index) => ({ assetId: `asset_${index % 40}` }));
await raw("asset_tags").insertOne({ _id: "tag_0", workspaceId: home.id });
await multiply("asset_tags", (index) => ({ assetId: `asset_${index % 40}` }));
afterAll(async () => {
  await profiler.close();
  await register.stop();
});

function raw(name: string) {
  return profiler.db.collection<{ _id: string; workspaceId: string }>(name);
}

/** Copies the only document of a collection until the planner prefers an index. */
async function multiply(name: string, fields: (index: number) => object): Promise<void> {
  const document = await raw(name).findOne();
  const copies = Array.from({ length: 400 }, (_, index) => ({
    ...document!,
    ...fields(index),
    _id: `${name}_${String(index).padStart(4, "0")}`,
  }));
  // Between them are those of another workspace, which a scan in order of _id would read too.
  const foreign = copies.flatMap((copy) =>
    ["a", "b"].map((suffix) => ({ ...copy, _id: `${copy._id}${suffix}`, workspaceId: `wsp_${suffix}` })),
  );
  await raw(name).insertMany([...copies, ...foreign]);
}

const collections = [
  ...["assets", "asset_tags", "checkouts", "movements", "record_counts"],
  ...["organisation", "statuses"],
];
const profile = (run: () => Promise<unknown>) => profiler.operationsOf(collections, run);

/** The page after the first one. Its own operations are those that the profiler sees last. */
async function secondPage(request: AssetListRequest) {
  const { page } = await register.assets.listAssets(request, home.admin);
  const cursor = page?.nextCursor ?? "";
  expect(cursor).not.toBe("");
  await register.assets.listAssets({ ...request, page: { ...request.page, cursor } }, home.admin);
}

const lists: [string, string, () => Promise<unknown>][] = [
  ["assets", "{ workspaceId: 1, deleted: 1, _id: 1 }", () => register.assets.listAssets({}, home.admin)],
  ...(["categoryId", "propertyId", "locationId", "statusId", "custodianId"] as const).map(
    (filter): [string, string, () => Promise<unknown>] => {
      const request = { [filter]: `${filter}_7` };
      return [`assets by ${filter}`, `${filter}: 1`, () => register.assets.listAssets(request, home.admin)];
    },
  ),
  ["a search", "tokens: 1", () => register.assets.listAssets({ q: "t39" }, home.admin)],
  ...[
    ["id", "_id: 1"],
    ["-id", "_id: 1"],
    ["updated_at", "updatedAt: 1"],
    ["-updated_at", "updatedAt: 1"],
    ["name", "nameKey: 1"],
    ["number", "numberKey: 1"],
  ].flatMap(([sort = "", index = ""]): [string, string, () => Promise<unknown>][] => [
    [`assets sorted by ${sort}`, index, () => register.assets.listAssets({ page: { sort } }, home.admin)],
    [`assets after a cursor, sorted by ${sort}`, index, () => secondPage({ page: { sort, limit: 20 } })],
    [
      `assets with deleted ones, sorted by ${sort}`,
      index,
      () => secondPage({ includeDeleted: true, page: { sort, limit: 20 } }),
    ],
  ]),
  [
    "changed assets",
    "updatedAt: 1",
    () => register.assets.listAssets({ updatedSince: timestampFromDate(new Date(350)) }, home.admin),
  ],
  [
    "changed assets with deleted ones, after a cursor",
    "updatedAt: 1",
    () =>
      secondPage({
        ...{ includeDeleted: true, page: { limit: 20 } },
        updatedSince: timestampFromDate(new Date(200)),
      }),
  ],
  [
    "assets for labels, in the order of numbers,",
    "numberKey: 1",
    () => createLabelledAssetStore(register.mongo).idsByNumber(home.id, { prefixes: [] }, 20),
  ],
  ["movements", "_id: 1", () => register.custody.listMovements({}, home.admin)],
  [
    "movements of an asset",
    "assetId: 1",
    () => register.custody.listMovements({ assetId: "asset_7" }, home.admin),
  ],
  [
    "tags of an asset, which the consumer reads,",
    "assetId: 1",
    () => {
      const { ofAssets } = createAssetTagStore(register.mongo);
      return register.mongo.transaction({}, (session) => ofAssets(home.id, ["asset_7"], session));
    },
  ],
  ["checkouts", "_id: 1", () => register.custody.listCheckouts({}, home.admin)],
  [
    "checkouts of an asset",
    "assetId: 1",
    () => register.custody.listCheckouts({ assetId: "asset_7" }, home.admin),
  ],
  [
    "checkouts of a holder",
    "issuedToId: 1",
    () => register.custody.listCheckouts({ issuedToId: "holder_7" }, home.admin),
  ],
  [
    "open checkouts",
    "status: 1",
    () => register.custody.listCheckouts({ status: CheckoutStatus.OPEN }, home.admin),
  ],
  // The page is read in order of id, and its total is counted, because more follow.
  [
    "overdue checkouts",
    "dueAt: 1",
    () => register.custody.listCheckouts({ overdue: true, page: { limit: 1 } }, home.admin),
  ],
  [
    "checkouts due soon",
    "dueAt: 1",
    () => register.custody.listCheckouts({ dueWithinDays: 7, page: { limit: 1 } }, home.admin),
  ],
  ["checkouts in time", "status: 1", () => register.custody.listCheckouts({ overdue: false }, home.admin)],
  [
    "a collection of the organisation",
    "kind: 1",
    () => register.organisation.listRecords({ kind: OrganisationKind.LOCATION }, home.admin),
  ],
  ["statuses", "position: 1", () => register.assets.listStatuses({}, home.admin)],
];

test.each(lists)(
  "the list of %s uses its index and never scans the collection",
  async (_what, index, list) => {
    const operations = await profile(list);
    expect(operations.length).toBeGreaterThan(0);
    for (const { planSummary } of operations) {
      expect(planSummary).not.toContain("COLLSCAN");
      // Rows whose ids an index of the workspace has found.
      if (planSummary !== "IXSCAN { _id: 1 }") expect(planSummary).toContain("workspaceId: 1");
    }
    expect(operations.map(({ planSummary }) => planSummary).join(" ")).toContain(index);
  },
);

test("lists with one filter get their order from the index, without a sort", async () => {
  const inOrder = lists.filter(([what]) => !/search|overdue|in time/.test(what));
  for (const [, , list] of inOrder) {
    for (const operation of await profile(list)) expect(operation.hasSortStage ?? false).toBe(false);
  }
});

test("reading one asset examines one document, and one checkout if it is checked out", async () => {
  const get = (id: string) => profile(() => register.assets.getAsset({ id }, home.admin));
  const out = await get(assetId);
  expect(out.map(({ ns, docsExamined }) => [ns.split(".")[1], docsExamined])).toEqual([
    ["assets", 1],
    ["checkouts", 1],
  ]);
  const inside = await makeAsset(register, home, { number: newId("x") });
  expect(await get(inside)).toMatchObject([{ docsExamined: 1 }]);
});
