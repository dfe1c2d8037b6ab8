import { eventually } from "@asset-register/harness";
import { DisposalMethod } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import {
  type ListValuesRequestSchema,
  ReportService,
  ValueGrouping,
} from "@asset-register/proto/assetregister/register/v1/report_pb";
import { codeOf, openProfiler } from "@asset-register/service-harness";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { afterAll, expect, test } from "vitest";
import { addToSums } from "../../src/domain/reports/daily-value.ts";
import { dayOf, lastEndedDay } from "../../src/domain/reports/day.ts";
import { startFinalCount } from "../../src/operations/reports/sweep-values.ts";
import { createDailyValueStore } from "../../src/store/reports/daily-values.ts";
import { createValueCountStore } from "../../src/store/reports/value-counts.ts";
import { createValueDayStore, valueDayRecords } from "../../src/store/reports/value-days.ts";
import { makeAsset, makeRecord, seedWorkspace, startRegister, type Workspace } from "../support.ts";
import { storeAssets } from "./report-support.ts";

const { DAY, MONTH, CATEGORY } = ValueGrouping;
/** The clock of the service. Tests only set it forward. */
let clock = new Date("2026-03-10T12:00:00.000Z");
const pass = (text: string) => {
  const next = new Date(text);
  if (next < clock) throw new Error("the clock runs forward");
  clock = next;
};
// Small steps, so that each count takes several.
const register = await startRegister({
  now: () => clock,
  values: { assetsAtOnce: 2, movementsAtOnce: 2, sweepMs: 50 },
});
const reports = register.client(ReportService);
afterAll(() => register.stop());

type Request = MessageInitShape<typeof ListValuesRequestSchema>;

const listed = (workspace: Workspace, request: Request = {}) =>
  reports.listValues({ by: DAY, ...request }, workspace.admin);

/** Rows as [date, category, count, cost, nbv, movements]. */
const rowsOf = async (workspace: Workspace, request: Request = {}) =>
  (await listed(workspace, request)).rows.map(({ date, categoryId, count, cost, nbv, movements }) => [
    ...[date, categoryId, count, Number(cost?.minorUnits), Number(nbv?.minorUnits), movements],
  ]);

/** The rows of the days that have ended. The request must not count today. */
const endedRows = (workspace: Workspace, to: string) => rowsOf(workspace, { to });

const stores = {
  dailyValues: createDailyValueStore(register.mongo),
  valueCounts: createValueCountStore(register.mongo),
  valueDays: createValueDayStore(register.mongo),
};

test("today is counted when it is asked for, by category, without deleted and disposed assets; again after an hour", async () => {
  const home = await seedWorkspace(register, { timeZone: "UTC" });
  const tools = await makeRecord(register, home, { kind: OrganisationKind.CATEGORY, name: "Tools" });
  const hall = await makeRecord(register, home, { kind: OrganisationKind.LOCATION, name: "Hall" });
  const date = clock.toISOString().slice(0, 10);
  const first = await makeAsset(register, home, {
    categoryId: tools,
    cost: { minorUnits: 500n, currency: "EUR" },
  });
  for (let index = 0; index < 3; index += 1) await makeAsset(register, home, { categoryId: tools });
  await makeAsset(register, home, { cost: { minorUnits: 70n, currency: "EUR" } });
  const gone = await makeAsset(register, home);
  await register.assets.deleteAsset({ id: gone }, home.admin);
  const disposed = await makeAsset(register, home, { categoryId: tools });
  await register.custody.createMovement(
    { assetId: disposed, toLocationId: hall, reason: "movement" },
    home.admin,
  );
  await register.custody.createMovement(
    { assetId: first, toLocationId: hall, reason: "movement" },
    home.admin,
  );
  await register.assets.disposeAsset({ id: disposed, method: DisposalMethod.LOST }, home.admin);

  expect(await rowsOf(home)).toEqual([[date, undefined, 5, 570, 570, 2]]);
  expect(await rowsOf(home, { by: CATEGORY })).toEqual([
    [date, undefined, 1, 70, 70, 0],
    [date, tools, 4, 500, 500, 2],
  ]);
  const { asOf } = await listed(home);
  expect(timestampDate(asOf!)).toEqual(clock);

  await makeAsset(register, home);
  pass("2026-03-10T12:59:59.999Z");
  expect(await rowsOf(home)).toEqual([[date, undefined, 5, 570, 570, 2]]);
  pass("2026-03-10T13:00:00.000Z");
  expect(await rowsOf(home)).toEqual([[date, undefined, 6, 570, 570, 2]]);
  expect(timestampDate((await listed(home)).asOf!)).toEqual(clock);
  expect(timestampDate((await listed(home, { from: date })).asOf!)).toEqual(clock);
  expect((await listed(home, { to: "2026-03-09" })).asOf).toBeUndefined();
});

test("each workspace has the days of its own time zone: its day is counted for good shortly after its midnight", async () => {
  pass("2026-03-11T22:30:00.000Z");
  const zones = { berlin: "Europe/Berlin", utc: "UTC", newYork: "America/New_York" };
  const homes = {
    berlin: await seedWorkspace(register, { timeZone: zones.berlin }),
    utc: await seedWorkspace(register, { timeZone: zones.utc }),
    newYork: await seedWorkspace(register, { timeZone: zones.newYork }),
  };
  for (const home of Object.values(homes)) await makeAsset(register, home);
  const date = "2026-03-11";
  // Midnight in Berlin is past, but a transaction may still be storing a movement.
  pass("2026-03-11T23:00:30.000Z");
  expect(await endedRows(homes.berlin, date)).toEqual([]);
  pass("2026-03-11T23:01:30.000Z");
  await eventually(async () =>
    expect(await endedRows(homes.berlin, date)).toEqual([[date, undefined, 1, 0, 0, 0]]),
  );
  expect(await rowsOf(homes.utc, { from: "2026-03-12", to: "2026-03-12" })).toEqual([]);
  // Asked for, the day of the others is counted for now.
  expect(await rowsOf(homes.utc)).toEqual([[date, undefined, 1, 0, 0, 0]]);
  await makeAsset(register, homes.utc);
  pass("2026-03-12T00:02:00.000Z");
  await eventually(async () =>
    expect(await endedRows(homes.utc, date)).toEqual([[date, undefined, 2, 0, 0, 0]]),
  );
  expect(await stores.valueDays.get(homes.newYork.id, date)).toBeUndefined();
  pass("2026-03-12T04:02:00.000Z");
  await eventually(async () => expect(await endedRows(homes.newYork, date)).toHaveLength(1));
});

test("a day shows what the register showed then: later changes, and assets of the next day, are not in it", async () => {
  pass("2026-03-12T12:00:00.000Z");
  const home = await seedWorkspace(register, { timeZone: "UTC" });
  const id = await makeAsset(register, home, { cost: { minorUnits: 100n, currency: "EUR" } });
  const date = "2026-03-12";
  pass("2026-03-13T00:01:00.500Z");
  await eventually(async () =>
    expect(await endedRows(home, date)).toEqual([[date, undefined, 1, 100, 100, 0]]),
  );
  const cost = { minorUnits: 900n, currency: "EUR" };
  await register.assets.updateAsset({ asset: { id, cost }, updateMask: { paths: ["cost"] } }, home.admin);
  await makeAsset(register, home);
  expect(await rowsOf(home)).toEqual([
    [date, undefined, 1, 100, 100, 0],
    ["2026-03-13", undefined, 2, 900, 900, 0],
  ]);
});

test("a workspace has no rows before its first asset", async () => {
  pass("2026-03-13T12:00:00.000Z");
  const [empty, later] = [await seedWorkspace(register), await seedWorkspace(register)];
  pass("2026-03-14T12:00:00.000Z");
  await makeAsset(register, later);
  pass("2026-03-15T12:00:00.000Z");
  await eventually(async () => expect(await endedRows(later, "2026-03-14")).toHaveLength(1));
  expect(await endedRows(empty, "2026-03-14")).toEqual([]);
});

test("a count that a killed process has left half way is continued, and nothing is counted twice", async () => {
  pass("2026-03-16T12:00:00.000Z");
  const home = await seedWorkspace(register, { timeZone: "UTC" });
  const hall = await makeRecord(register, home, { kind: OrganisationKind.LOCATION, name: "Hall" });
  const ids: string[] = [];
  for (let index = 0; index < 5; index += 1) ids.push(await makeAsset(register, home));
  for (const assetId of ids) {
    await register.custody.createMovement({ assetId, toLocationId: hall, reason: "movement" }, home.admin);
  }
  const day = dayOf(clock, "UTC");
  // The killed process has saved two assets, and a lease that ends.
  const { insert } = valueDayRecords.store(register.mongo);
  const parts = [{ categoryId: undefined, count: 2, cost: 0, nbv: 0 }];
  const half = {
    ...{ ...day, id: `${home.id}:${day.date}`, workspaceId: home.id, isFinal: true, startedAt: clock },
    ...{ status: "counting" as const, progress: { done: 2, total: 2 } },
    ...{ afterAsset: ids.toSorted()[1]!, assetsDone: false, sums: addToSums([], parts) },
  };
  const work = { leaseHolder: "killed", leaseUntil: new Date(Date.now() + 1_000), token: 1, attempts: 0 };
  await insert(home.id, half, undefined, { work });
  await eventually(async () => {
    const counted = await stores.valueDays.get(home.id, day.date);
    expect(counted).toMatchObject({ status: "counted", figures: { count: 5, movements: 5 } });
  });
  expect(await rowsOf(home)).toEqual([[day.date, undefined, 5, 0, 0, 5]]);
});

test("two leaders at once start one count of a day, and its rows are there once", async () => {
  pass("2026-03-17T12:00:00.000Z");
  const home = await seedWorkspace(register, { timeZone: "UTC" });
  await makeAsset(register, home);
  const tomorrow = new Date(clock.getTime() + 86_400_000);
  const day = lastEndedDay(tomorrow, "UTC");
  const starts = Array.from({ length: 5 }, (_, index) =>
    startFinalCount({ stores, now: () => new Date(tomorrow.getTime() + index) } as never, home.id, day),
  );
  await Promise.all(starts);
  await eventually(async () =>
    expect((await stores.valueDays.get(home.id, day.date))?.status).toBe("counted"),
  );
  const first = await stores.valueDays.get(home.id, day.date);
  await startFinalCount({ stores, now: () => tomorrow } as never, home.id, day);
  expect(await stores.valueDays.get(home.id, day.date)).toEqual(first);
  expect(await rowsOf(home, { by: CATEGORY, to: day.date })).toEqual([[day.date, undefined, 1, 0, 0, 0]]);
});

test("a month is the row of its last day; rows by category are paged in order of date and category", async () => {
  pass("2026-03-30T12:00:00.000Z");
  const home = await seedWorkspace(register, { timeZone: "UTC" });
  const categories = [
    await makeRecord(register, home, { kind: OrganisationKind.CATEGORY, name: "A" }),
    await makeRecord(register, home, { kind: OrganisationKind.CATEGORY, name: "B" }),
  ];
  for (const categoryId of categories) await makeAsset(register, home, { categoryId });
  for (const [next, count] of [
    ["2026-03-31T12:00:00.000Z", 2],
    ["2026-04-01T12:00:00.000Z", 3],
    ["2026-04-02T12:00:00.000Z", 4],
  ] as const) {
    const ended = lastEndedDay(new Date(next), "UTC").date;
    pass(next);
    await eventually(async () => {
      expect((await stores.valueDays.get(home.id, ended))?.figures?.count).toBe(count);
    });
    await makeAsset(register, home, { categoryId: categories[0]! });
  }
  const dates = async (request: Request) =>
    (await rowsOf(home, request)).map(([date, , count]) => [date, count]);
  expect(await dates({})).toEqual([
    ["2026-03-30", 2],
    ["2026-03-31", 3],
    ["2026-04-01", 4],
    ["2026-04-02", 5],
  ]);
  expect(await dates({ by: MONTH })).toEqual([
    ["2026-03-31", 3],
    ["2026-04-02", 5],
  ]);
  expect(await dates({ by: MONTH, to: "2026-03-30" })).toEqual([["2026-03-30", 2]]);
  expect(await dates({ from: "2026-03-31", to: "2026-04-01" })).toEqual([
    ["2026-03-31", 3],
    ["2026-04-01", 4],
  ]);
  for (const by of [CATEGORY, DAY]) {
    const whole = await rowsOf(home, { by });
    expect(whole).toHaveLength(by === CATEGORY ? 8 : 4);
    const paged: unknown[] = [];
    let cursor: string | undefined;
    do {
      const answer = await listed(home, { by, page: { limit: 3, ...(cursor && { cursor }) } });
      expect(answer.page?.total).toBe(whole.length);
      paged.push(...answer.rows.map(({ date, categoryId }) => [date, categoryId]));
      cursor = answer.page?.nextCursor;
    } while (cursor);
    expect(paged).toEqual(whole.map(([date, categoryId]) => [date, categoryId]));
  }
});

test("ten years are kept: older rows go when a day ends", async () => {
  pass("2026-04-03T12:00:00.000Z");
  const home = await seedWorkspace(register, { timeZone: "UTC" });
  await makeAsset(register, home);
  const old = ["2016-04-02T12:00:00.000Z", "2016-04-03T12:00:00.000Z"].map((text) =>
    dayOf(new Date(text), "UTC"),
  );
  for (const day of old) await stores.valueDays.start(home.id, day, true, clock);
  await eventually(async () => expect(await endedRows(home, "2026-04-01")).toHaveLength(2));
  pass("2026-04-04T12:00:00.000Z");
  await eventually(async () => {
    const dates = (await endedRows(home, "2026-04-03")).map(([date]) => date);
    expect(dates).toEqual(expect.arrayContaining(["2016-04-03", "2026-04-03"]));
    expect(dates).not.toContain("2016-04-02");
  });
});

test("the rows of a workspace are its own, and the capability view is required", async () => {
  pass("2026-04-05T12:00:00.000Z");
  const [home, other] = [await seedWorkspace(register), await seedWorkspace(register)];
  await makeAsset(register, home);
  expect(await rowsOf(home)).toHaveLength(1);
  expect((await rowsOf(other)).map(([, , count]) => count)).toEqual([0]);
  expect(await codeOf(reports.listValues({ by: DAY }, home.user("create")))).toBe("FORBIDDEN");
  expect(await codeOf(reports.listValues({ by: DAY }, home.user("view")))).toBeUndefined();
});

test.each<[string, Request, string]>([
  ["no grouping", { by: ValueGrouping.UNSPECIFIED }, "by"],
  ["a day that is none", { from: "2026-02-30" }, "from"],
  ["an end before the beginning", { from: "2026-03-02", to: "2026-03-01" }, "to"],
])("%s is refused", async (_name, request, field) => {
  const home = await seedWorkspace(register);
  await expect(listed(home, request)).rejects.toMatchObject({
    code: "VALIDATION_FAILED",
    violations: [{ field }],
  });
});

test("amounts that a number can't show exactly are refused, as in other reports", async () => {
  const home = await seedWorkspace(register);
  await storeAssets(register, home.id, [
    { cost: Number.MAX_SAFE_INTEGER },
    { cost: Number.MAX_SAFE_INTEGER },
  ]);
  await register.mongo
    .collection<{ _id: string; workspaceId: string; createdAt: Date }>("assets")
    .updateMany({ workspaceId: home.id }, { $set: { createdAt: clock } });
  expect(await codeOf(listed(home))).toBe("TOO_LARGE");
});

test("a count reads assets by ranges of ids, and movements from the index of their time", async () => {
  const home = await seedWorkspace(register, { timeZone: "UTC" });
  const hall = await makeRecord(register, home, { kind: OrganisationKind.LOCATION, name: "Hall" });
  const ids = [
    await makeAsset(register, home),
    await makeAsset(register, home),
    await makeAsset(register, home),
  ];
  for (const assetId of ids) {
    await register.custody.createMovement({ assetId, toLocationId: hall, reason: "movement" }, home.admin);
  }
  const profiler = await openProfiler(register.mongo.database);
  const day = dayOf(clock, "UTC");
  const assets = await profiler.operationsOf("assets", () =>
    stores.valueCounts.assets(home.id, day, ids[0]!, 2),
  );
  expect(assets).toMatchObject([{ keysExamined: 2, docsExamined: 2 }]);
  const movements = await profiler.operationsOf("movements", () =>
    stores.valueCounts.movements(home.id, day, undefined, 2),
  );
  expect(movements).toMatchObject([{ docsExamined: 0, keysExamined: 2 }]);
  await profiler.close();
});
