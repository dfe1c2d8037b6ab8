import { eventually } from "@asset-register/harness";
import { Book } from "@asset-register/proto/assetregister/finance/v1/book_pb";
import {
  type DepreciationReport,
  DepreciationReportService,
} from "@asset-register/proto/assetregister/finance/v1/depreciation_report_pb";
import { DepreciationMethod, DisposalMethod } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { Resolution } from "@asset-register/proto/assetregister/stocktake/v1/variance_pb";
import { topics } from "@asset-register/proto/topics";
import { newId, requireFound } from "@asset-register/runtime";
import { failure, openProfiler } from "@asset-register/service-harness";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { profileCalls, sameAsProfile, straightLine } from "../profiles/profile-support.ts";
import { runCalls } from "../runs/run-support.ts";
import { eur, newWorkspace, sharedFinance } from "../support.ts";

let now = new Date("2026-04-15T12:00:00Z");
const finance = await sharedFinance(() => now);
const workspace = await newWorkspace(finance);
const { id: workspaceId } = workspace;
const { projected, publishAsset, save, eventuallyProfile } = profileCalls(finance, workspace);
const { draft, post, ended } = runCalls(finance, workspace);
const reports = finance.client(DepreciationReportService);

async function read(query: { book?: Book; from?: string; to?: string } = {}): Promise<DepreciationReport> {
  const answer = await reports.getDepreciationReport(query, workspace.viewer);
  return requireFound(answer.report);
}

/** The figures of a category in a book, in minor units. */
function rowOf({ books }: DepreciationReport, categoryId: string | undefined, book = Book.BOOK) {
  const rows = books.find((one) => one.book === book)?.rows ?? [];
  const row = rows.find((one) => one.categoryId === categoryId);
  if (row === undefined) return undefined;
  const { name, charged, impaired, reversed, disposed, nbv } = row;
  const [minorCharged, minorImpaired, minorReversed, minorDisposed, minorNbv] = [
    ...[charged, impaired, reversed, disposed, nbv],
  ].map((amount) => Number(amount?.minorUnits));
  return {
    name,
    ...{ charged: minorCharged, impaired: minorImpaired, reversed: minorReversed },
    ...{ disposed: minorDisposed, nbv: minorNbv },
  };
}

async function postMonth(month: number, book = Book.BOOK): Promise<void> {
  const run = await draft(month, book);
  await ended((await post(run.id)).id);
}

const [laptops, tools] = [newId("cat"), newId("cat")];
await finance.stores.categories.project([
  { workspaceId, id: laptops, epoch: 0, sequence: 1, fields: { name: "Laptops", deleted: false } },
  { workspaceId, id: tools, epoch: 0, sequence: 1, fields: { name: "Tools", deleted: false } },
]);

test("charges, impairments, disposals and values by category, in both books; a posted month keeps its figures", async () => {
  const kept = await projected({ ...straightLine, categoryId: laptops });
  const sold = await projected({ ...straightLine, categoryId: laptops });
  const moved = await projected({ ...straightLine, categoryId: tools });
  await eventuallyProfile(kept, () => undefined);
  await save({ assetId: kept, book: Book.TAX, fields: { ...sameAsProfile, lifeMonths: 6 } });
  await save({ assetId: kept, fields: { impairment: { amount: eur("90.00"), on: "2026-04-10" } } });
  await postMonth(3);
  now = new Date("2026-05-15T12:00:00Z");
  const march = await read({ from: "2026-03", to: "2026-03" });
  expect(rowOf(march, laptops)).toMatchObject({ name: "Laptops", charged: 60_000, nbv: 180_000 });

  await publishAsset(moved, { categoryId: laptops, rev: 2 });
  await eventually(async () => {
    expect((await finance.stores.assets.get(workspaceId, moved))?.categoryId).toBe(laptops);
  });
  await postMonth(4);
  const april = await read({ to: "2026-04" });
  expect(april).toMatchObject({ from: "2026-01", to: "2026-04" });
  // The first asset: 900.00 - 90.00 over 9 months. The moved assets have their value and charge in the new category.
  expect(rowOf(april, laptops)).toMatchObject({
    charged: 60_000 + 29_000,
    impaired: 9000,
    nbv: 72_000 + 2 * 80_000,
  });
  expect(rowOf(april, tools)).toMatchObject({ charged: 30_000, nbv: 0 });
  expect(rowOf(april, laptops, Book.TAX)).toMatchObject({ charged: 0, nbv: 120_000 });
  expect(april.difference).toMatchObject([
    { categoryId: laptops, name: "Laptops", amount: { minorUnits: 112_000n } },
    { categoryId: tools, name: "Tools", amount: { minorUnits: 0n } },
  ]);

  const disposed = { date: "2026-03-20", method: DisposalMethod.SOLD, proceeds: eur("1100.00") };
  await publishAsset(sold, { disposed, rev: 2 });
  await eventually(async () => expect((await read()).books[0]?.disposals?.count).toBe(1));
  // Again: a report is made of several reads, and the disposal was accounted between them.
  const may = await read();
  expect(may).toMatchObject({ from: "2026-01", to: "2026-05" });
  expect(may.books[0]?.disposals).toMatchObject({ proceeds: eur("1100.00"), gainLoss: eur("100.00") });
  // March by full_month: nothing, April is reversed.
  expect(rowOf(may, laptops)).toMatchObject({
    ...{ charged: 89_000 - 10_000, reversed: 10_000, disposed: 100_000, nbv: 72_000 + 80_000 },
  });
  expect(await read({ from: "2026-03", to: "2026-03" })).toEqual(march);
  expect(rowOf(await read({ to: "2026-04" }), laptops)).toEqual(rowOf(april, laptops));
  expect((await read({ book: Book.TAX })).books.map(({ book }) => book)).toEqual([Book.TAX]);
});

test("a cost that changes while an earlier month is being closed counts where its charges count", async () => {
  now = new Date("2026-05-15T12:00:00Z");
  const home = await newWorkspace(finance);
  const own = profileCalls(finance, home);
  const calls = runCalls(finance, home);
  const assetId = await own.projected({ ...straightLine });
  const close = async (month: number) => {
    const { id } = await calls.draft(month);
    await calls.post(id);
    await calls.ended(id);
    const query = { book: Book.BOOK, from: `2026-0${month}`, to: `2026-0${month}` };
    const { report } = await reports.getDepreciationReport(query, home.viewer);
    return Number(report?.books[0]?.rows[0]?.nbv?.minorUnits);
  };
  expect(await close(1)).toBe(110_000);
  await own.save({ assetId, fields: { cost: eur("650.00") } });
  expect(await close(2)).toBe(65_000 - 10_000 - 5_000);
  await own.save({ assetId, fields: { cost: eur("1300.00") }, effectiveOn: "2026-04-01" });
  expect(await close(3)).toBe(65_000 - 10_000 - 2 * 5_000);
});

test("a deleted asset leaves all open months of each book, and no posted one", async () => {
  now = new Date("2026-03-15T12:00:00Z");
  const home = await newWorkspace(finance);
  const own = profileCalls(finance, home);
  const calls = runCalls(finance, home);
  const assetId = await own.projected({ ...straightLine });
  const manual = { ...sameAsProfile, method: DepreciationMethod.MANUAL };
  await own.save({ assetId, book: Book.TAX, fields: manual });
  const run = await calls.draft(3, Book.TAX);
  await calls.post(run.id);
  await calls.ended(run.id);
  finance.register.put(home.id, { id: assetId, deletedAt: timestampFromDate(now) });
  await own.publishAsset(assetId);
  await own.published(assetId, (state) => expect(state.isDeleted).toBe(true));
  const nbvIn = async (book: Book, month: string) => {
    const { report } = await reports.getDepreciationReport({ book, from: month, to: month }, home.viewer);
    return Number(report?.books[0]?.rows[0]?.nbv?.minorUnits ?? 0n);
  };
  // Nothing of `book` is posted. March is posted in `tax`.
  expect(await Promise.all(["2026-01", "2026-03"].map((month) => nbvIn(Book.BOOK, month)))).toEqual([0, 0]);
  expect(await Promise.all(["2026-03", "2026-04"].map((month) => nbvIn(Book.TAX, month)))).toEqual([
    120_000, 0,
  ]);
  now = new Date("2026-05-15T12:00:00Z");
});

test("assets that a stock-take has written off are pending until they are disposed of", async () => {
  const assetId = await projected(straightLine);
  const change = { resolution: Resolution.WRITTEN_OFF, assetId, assetRev: 2 };
  await finance.publish({
    ...{
      topic: topics.stocktake,
      workspaceId,
      subject: newId("sts"),
      sequence: 1,
      type: "stocktake.variance_resolved",
    },
    message: { change: { case: "varianceResolved", value: change } },
  });
  const { pendingWriteOff } = await eventually(async () => {
    const found = await read();
    expect(found.pendingWriteOff?.count).toBe(1);
    return found;
  });
  expect(pendingWriteOff).toMatchObject({ count: 1, nbv: eur("1200.00"), assets: [assetId] });
});

test("months that end before they begin, or that are no months, are refused with the field", async () => {
  const fieldsOf = async (query: { from?: string; to?: string }) =>
    (await failure(read(query)))?.violations.map(({ field }) => field);
  expect(await fieldsOf({ from: "2026-05", to: "2026-04" })).toEqual(["to"]);
  expect(await fieldsOf({ from: "2026-13" })).toEqual(["from"]);
});

test("the report and the lines of an asset are read by indexes", async () => {
  const other = { workspaceId: "wsp_other" };
  const { db, ...profiler } = await openProfiler(finance.mongo.database);
  type Row = { _id: string; workspaceId: string } & Record<string, unknown>;
  const fill = (collection: string, make: (index: number) => object) =>
    db.collection<Row>(collection).insertMany(
      Array.from({ length: 3_000 }, (_, index) => ({
        ...{ _id: `row_${index}`, workspaceId: index % 3 === 0 ? other.workspaceId : workspaceId },
        ...make(index),
      })),
    );
  await fill("booked_amounts", (index) => ({
    book: index % 50 === 1 ? "tax" : "book",
    bookedIn: "2031-01",
    kind: "charge",
    amount: 1,
  }));
  await fill("disposals", (index) => ({
    assetId: `ast_${index}`,
    book: "book",
    bookedIn: index % 50 === 1 ? "2030-01" : "2031-01",
  }));
  await fill("book_states", () => ({ nbv: 1 }));
  await fill("run_lines", (index) => ({ runId: `run_${index % 50}`, assetId: "ast_1" }));
  const { bookedAmounts, bookStates, disposals, runLines } = finance.stores;
  const month = { from: "2030-01", to: "2030-01" };
  const reads: [string, string, () => Promise<unknown>][] = [
    [
      "booked_amounts",
      "book: 1, bookedIn: 1",
      () => bookedAmounts.sums(workspaceId, "tax", { from: "2030-12", to: "2030-12" }),
    ],
    ["disposals", "bookedIn: 1, book: 1", () => disposals.totals(workspaceId, "book", month)],
    ["book_states", "workspaceId: 1, _id: 1", () => bookStates.writtenOffTotals(workspaceId)],
    ["run_lines", "_id: 1", () => runLines.ofAssetInRuns(workspaceId, "ast_1", ["run_1", "run_2"])],
  ];
  for (const [collection, index, read] of reads) {
    const operations = await profiler.operationsOf(collection, read);
    expect(operations).not.toEqual([]);
    for (const { planSummary, docsExamined } of operations) {
      expect({ collection, planSummary }).toEqual({
        collection,
        planSummary: expect.stringContaining(index),
      });
      expect(docsExamined).toBeLessThanOrEqual(60);
    }
  }
  await profiler.close();
});
