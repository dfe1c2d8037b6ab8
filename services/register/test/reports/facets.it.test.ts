import { eventually } from "@asset-register/harness";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import {
  FacetField,
  type GetFacetsRequestSchema,
  ReportService,
} from "@asset-register/proto/assetregister/register/v1/report_pb";
import { codeOf, openProfiler } from "@asset-register/service-harness";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { createFacetAnswerStore } from "../../src/store/reports/facet-answers.ts";
import { makeRecord, seedWorkspace, sharedRegister, type Workspace } from "../support.ts";
import { disposal, storeAssets } from "./report-support.ts";

const { STATUS, CATEGORY, LOCATION } = FacetField;
const register = await sharedRegister();
const reports = register.client(ReportService);

type Request = MessageInitShape<typeof GetFacetsRequestSchema>;

const facetsOf = async (workspace: Workspace, request: Request = {}) =>
  (await reports.getFacets(request, workspace.admin)).facets!;

/** The values of a facet as [name, count]. */
const valuesOf = (facet: { values: { name?: string; count: number }[] } | undefined) =>
  facet?.values.map(({ name, count }) => [name, count]);

/** The last count of a workspace becomes old, so that the next request may count. */
const letCountAgain = ({ id }: Workspace) =>
  register.mongo
    .collection<{ _id: string; workspaceId: string; startedAt: Date }>("facet_answers")
    .updateOne({ _id: id, workspaceId: id }, { $set: { startedAt: new Date(0) } });

/** A workspace with assets of three places and two categories. */
async function furnished() {
  const workspace = await seedWorkspace(register);
  const make = (kind: OrganisationKind, name: string) => makeRecord(register, workspace, { kind, name });
  const ids = {
    hall: await make(OrganisationKind.LOCATION, "Hall"),
    yard: await make(OrganisationKind.LOCATION, "Yard"),
    tools: await make(OrganisationKind.CATEGORY, "Tools"),
    saws: await make(OrganisationKind.CATEGORY, "Saws"),
    ada: await make(OrganisationKind.CUSTODIAN, "Ada"),
    site: await make(OrganisationKind.PROPERTY, "Site"),
  };
  const { statuses: own } = await register.assets.listStatuses({}, workspace.admin);
  const status = (key: string) => own.find((one) => one.key === key)?.id ?? "";
  const { hall, yard, tools, saws, ada, site } = ids;
  await storeAssets(register, workspace.id, [
    { name: "Drill one", locationId: hall, categoryId: tools, statusId: status("in_use"), custodianId: ada },
    {
      name: "Drill two",
      locationId: hall,
      categoryId: tools,
      statusId: status("in_stock"),
      propertyId: site,
    },
    { name: "Saw", locationId: hall, categoryId: saws, statusId: status("in_use"), propertyId: site },
    { name: "Bench", locationId: yard, statusId: status("in_use"), custodianId: ada },
    { name: "Lamp", statusId: status("lost") },
    { name: "Old drill", locationId: yard, statusId: status("disposed"), disposed: disposal },
    { name: "Drill gone", locationId: yard, statusId: status("in_use"), deletedAt: new Date() },
  ]);
  return { workspace, ids, status };
}

test("without a filter all assets count, disposed ones too and deleted ones not, with names and those without a value", async () => {
  const { workspace } = await furnished();
  const before = new Date();
  const { status, category, location, tooMany, asOf } = await facetsOf(workspace);
  expect(valuesOf(status)).toEqual([
    ["In use", 3],
    ["In stock", 1],
    ["Lost", 1],
    ["Disposed", 1],
  ]);
  expect(valuesOf(category)).toEqual([
    [undefined, 3],
    ["Tools", 2],
    ["Saws", 1],
  ]);
  expect(category?.values[0]?.id).toBeUndefined();
  expect(valuesOf(location)).toEqual([
    ["Hall", 3],
    ["Yard", 2],
    [undefined, 1],
  ]);
  expect([status, category, location].map((facet) => [facet?.other, facet?.isExact])).toEqual([
    [0, true],
    [0, true],
    [0, true],
  ]);
  expect(tooMany).toBe(false);
  expect(Math.abs(timestampDate(asOf!).getTime() - before.getTime())).toBeLessThan(60_000);
});

test("each filter counts the assets that match, alone and with others", async () => {
  const { workspace, ids, status } = await furnished();
  const count = async (request: Request) => {
    const found = await facetsOf(workspace, { by: [STATUS], ...request });
    return Object.fromEntries(valuesOf(found.status) ?? []);
  };
  const both = { "In use": 1, "In stock": 1 };
  expect(await count({ locationId: ids.hall })).toEqual({ "In use": 2, "In stock": 1 });
  expect(await count({ categoryId: ids.tools })).toEqual(both);
  expect(await count({ custodianId: ids.ada })).toEqual({ "In use": 2 });
  expect(await count({ propertyId: ids.site })).toEqual(both);
  expect(await count({ statusId: status("lost") })).toEqual({ Lost: 1 });
  expect(await count({ q: "dri" })).toEqual({ ...both, Disposed: 1 });
  expect(await count({ q: "drill one" })).toEqual({ "In use": 1 });
  expect(await count({ q: "dri", locationId: ids.yard })).toEqual({ Disposed: 1 });
  expect(await count({ custodianId: ids.ada, locationId: ids.yard })).toEqual({ "In use": 1 });
  expect(await count({ custodianId: ids.ada, propertyId: ids.site })).toEqual({});
});

test("with a filter only what was asked for is counted, for this request and without as_of", async () => {
  const { workspace, ids } = await furnished();
  const found = await facetsOf(workspace, { by: [CATEGORY, LOCATION], locationId: ids.hall });
  expect(found.status).toBeUndefined();
  expect(found.asOf).toBeUndefined();
  expect(valuesOf(found.category)).toEqual([
    ["Tools", 2],
    ["Saws", 1],
  ]);
  expect(found.location).toMatchObject({ values: [{ id: ids.hall, count: 3 }], isExact: true });
});

test("the name of a deleted record is still shown", async () => {
  const { workspace, ids } = await furnished();
  await register.mongo
    .collection<{ _id: string; workspaceId: string; deleted: boolean }>("organisation")
    .updateOne({ _id: ids.yard, workspaceId: workspace.id }, { $set: { deleted: true } });
  expect(valuesOf((await facetsOf(workspace)).location)).toContainEqual(["Yard", 2]);
});

test("a facet has the 50 values with the most assets; the others are counted together", async () => {
  const workspace = await seedWorkspace(register);
  const assets = Array.from({ length: 60 }, (_, index) =>
    Array.from({ length: index < 3 ? 2 : 1 }, () => ({
      locationId: `loc_${String(index).padStart(2, "0")}`,
    })),
  );
  await storeAssets(register, workspace.id, assets.flat());
  const { location } = await facetsOf(workspace, { by: [LOCATION] });
  const expected = Array.from({ length: 50 }, (_, index) => `loc_${String(index).padStart(2, "0")}`);
  expect(location?.values.map(({ id }) => id)).toEqual(expected);
  expect(location?.values.map(({ count }) => count).slice(0, 4)).toEqual([2, 2, 2, 1]);
  expect(location?.other).toBe(10);
});

test("a whole workspace is counted at most once a minute, by the clock of the database; then again", async () => {
  const { workspace } = await furnished();
  const first = await facetsOf(workspace);
  await storeAssets(register, workspace.id, [{ name: "New" }]);
  const repeated = await facetsOf(workspace);
  expect(repeated.asOf).toEqual(first.asOf);
  expect(repeated.location?.isExact).toBe(false);
  expect(valuesOf(repeated.location)).toEqual(valuesOf(first.location));
  await letCountAgain(workspace);
  // A slow count answers the old figures, and stores the new ones.
  await eventually(async () => {
    expect(valuesOf((await facetsOf(workspace)).location)).toContainEqual([undefined, 2]);
  });
});

test("calls at once for the first facets of a workspace: one of them counts, and all get its answer", async () => {
  const { workspace } = await furnished();
  const answers = await Promise.all(Array.from({ length: 8 }, () => facetsOf(workspace)));
  expect(new Set(answers.map(({ asOf }) => timestampDate(asOf!).getTime())).size).toBe(1);
  expect(answers.filter(({ status }) => status?.isExact)).toHaveLength(1);
});

test("a count that has failed lets the next call count; one that came too late stores nothing", async () => {
  const { id } = await seedWorkspace(register);
  const answers = createFacetAnswerStore(register.mongo);
  const none = { values: [], other: 0 };
  const facets = { status: none, category: none, location: none };
  const { startedAt } = await answers.claim(id, 60_000);
  expect(startedAt).toBeDefined();
  expect((await answers.claim(id, 60_000)).startedAt).toBeUndefined();
  await answers.giveUp(id, startedAt!);
  const second = await answers.claim(id, 60_000);
  expect(second.startedAt).toBeDefined();
  await answers.save(id, facets, startedAt!);
  expect((await answers.claim(id, 60_000)).answer).toBeUndefined();
  await answers.save(id, facets, second.startedAt!);
  expect((await answers.claim(id, 60_000)).answer).toMatchObject({ asOf: second.startedAt });
});

test("the figures of a workspace are only its own, and the capability view is required", async () => {
  const { ids } = await furnished();
  const other = await seedWorkspace(register);
  expect((await facetsOf(other)).location?.values).toEqual([]);
  expect((await facetsOf(other, { locationId: ids.hall })).location?.values).toEqual([]);
  expect(await codeOf(reports.getFacets({}, other.user("create")))).toBe("FORBIDDEN");
  expect(await codeOf(reports.getFacets({}, other.user("view")))).toBeUndefined();
});

test("facets read the index of their filter, and no document", async () => {
  const workspace = await seedWorkspace(register);
  await storeAssets(
    register,
    workspace.id,
    Array.from({ length: 400 }, (_, index) => ({
      ...{ name: `Drill ${index}`, statusId: `sta_${index % 3}`, categoryId: `cat_${index % 5}` },
      ...{ locationId: `loc_${index % 7}`, custodianId: `cus_${index % 9}`, propertyId: `prp_${index % 2}` },
    })),
  );
  const profiler = await openProfiler(register.mongo.database);
  const expectCovered = async (index: string, most: number, request: Request) => {
    const operations = await profiler.operationsOf("assets", () => facetsOf(workspace, request));
    expect(operations.map(({ docsExamined }) => docsExamined)).toEqual(operations.map(() => 0));
    // Without a filter, each facet has its own index. Of several filters, each is counted first.
    const counted = Object.keys(request).length > 0 ? operations.slice(-1) : operations;
    expect(counted).toHaveLength(Object.keys(request).length > 0 ? 1 : 3);
    for (const { planSummary, keysExamined } of counted) {
      expect(planSummary).toContain(index);
      expect(keysExamined).toBeLessThanOrEqual(most);
    }
  };
  // A few more keys end the ranges.
  await expectCovered("live: 1", 404, {});
  await expectCovered("locationId: 1, _id: 1", 64, { locationId: "loc_1" });
  await expectCovered("categoryId: 1, _id: 1", 86, { categoryId: "cat_1" });
  await expectCovered("statusId: 1, _id: 1", 140, { statusId: "sta_1" });
  await expectCovered("custodianId: 1, _id: 1", 51, { custodianId: "cus_1" });
  await expectCovered("propertyId: 1, _id: 1, statusId: 1, categoryId: 1", 202, { propertyId: "prp_1" });
  await expectCovered("custodianId: 1, _id: 1", 51, { custodianId: "cus_1", statusId: "sta_1" });
  await expectCovered("locationId: 1, _id: 1", 64, { locationId: "loc_1", categoryId: "cat_1" });
  await profiler.close();
});
