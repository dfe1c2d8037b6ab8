import { eventually } from "@asset-register/harness";
import {
  type AssetDepreciation,
  AssetDepreciationService,
  ScheduleLineKind,
  ScheduleLineStatus,
} from "@asset-register/proto/assetregister/finance/v1/asset_depreciation_pb";
import { Book } from "@asset-register/proto/assetregister/finance/v1/book_pb";
import { DisposalStatus } from "@asset-register/proto/assetregister/finance/v1/disposal_pb";
import { DepreciationMethod, DisposalMethod } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { newId, requireFound } from "@asset-register/runtime";
import { codeOf } from "@asset-register/service-harness";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { runCalls } from "../runs/run-support.ts";
import { eur, newWorkspace, sharedFinance } from "../support.ts";
import { profileCalls, sameAsProfile, straightLine } from "./profile-support.ts";

const finance = await sharedFinance(() => new Date("2026-04-15T12:00:00Z"));
const workspace = await newWorkspace(finance);
const { projected, publishAsset, save } = profileCalls(finance, workspace);
const { draft, post, ended } = runCalls(finance, workspace);
const depreciation = finance.client(AssetDepreciationService);

async function read(assetId: string, book?: Book): Promise<AssetDepreciation> {
  const answer = await depreciation.getAssetDepreciation({ assetId, book }, workspace.viewer);
  return requireFound(answer.depreciation);
}

/** Kind, status, month and amount in minor units. */
const linesOf = (found: AssetDepreciation, book = 0) =>
  (found.books[book]?.lines ?? []).map(({ kind, status, period, amount }) => [
    ScheduleLineKind[kind],
    ScheduleLineStatus[status],
    period?.month,
    Number(amount?.minorUnits),
  ]);

const straight = await projected(straightLine);
const sold = await projected(straightLine);
await save({ assetId: straight, book: Book.TAX, fields: { ...sameAsProfile, lifeMonths: 6 } });
const run = await draft(3);
await ended((await post(run.id)).id);

test("past and forecast: each figure has its derivation, and each line begins where the one before ended", async () => {
  const found = await read(straight);
  const [book] = found.books;
  expect(book).toMatchObject({ book: Book.BOOK, nbv: eur("900.00"), accumulated: eur("300.00") });
  expect(book?.profile?.lifeMonths).toBe(12);
  const months = linesOf(found);
  expect(months).toEqual(
    Array.from({ length: 12 }, (_, index) => [
      "CHARGE",
      index < 3 ? "POSTED" : "FORECAST",
      index + 1,
      10_000,
    ]),
  );
  expect(book?.lines[3]?.derivation).toBe(
    "straight line: (1,200.00 - 0.00 - 300.00 charged) x 1 / 9 months left = 100.00",
  );
  expect(book?.lines[2]?.derivation).toBe(
    "straight line: (1,200.00 - 0.00 - 200.00 charged) x 1 / 10 months left = 100.00",
  );
  for (const [index, line] of (book?.lines ?? []).entries()) {
    const before = index === 0 ? eur("1200.00") : book?.lines[index - 1]?.closingNbv;
    expect(line.openingNbv?.minorUnits).toBe(before?.minorUnits);
  }
});

test("both books have their own figures, and the difference of their values; one book has none", async () => {
  const found = await read(straight);
  expect(found.books).toMatchObject([
    { book: Book.BOOK, nbv: eur("900.00") },
    { book: Book.TAX, nbv: eur("1200.00") },
  ]);
  expect(linesOf(found, 1)).toHaveLength(6);
  expect(found.difference).toMatchObject(eur("-300.00"));
  const tax = await read(straight, Book.TAX);
  expect(tax.books.map(({ book }) => book)).toEqual([Book.TAX]);
  expect(tax.difference).toBeUndefined();
  expect((await read(sold)).difference).toBeUndefined();
});

test("an asset without a profile has its cost as its value, and one without a cost none", async () => {
  const assetId = await projected({ cost: eur("50.00") });
  expect((await read(assetId)).books).toMatchObject([
    { book: Book.BOOK, nbv: eur("50.00"), accumulated: eur("0.00"), lines: [] },
    { book: Book.TAX, nbv: eur("50.00"), lines: [] },
  ]);
  expect((await read(await projected())).books[0]?.nbv).toBeUndefined();
});

test("a disposed asset shows what was given back and why, and has no forecast", async () => {
  const date = "2026-02-10";
  const disposed = { date, method: DisposalMethod.SOLD, proceeds: eur("1000.00") };
  await publishAsset(sold, { disposed, rev: 2 });
  await eventually(async () => {
    const { books } = await read(sold);
    expect(books[0]?.disposal?.status).toBe(DisposalStatus.ACCOUNTED);
  });
  // Again: an answer is made of several reads, and the disposal was accounted between them.
  const found = await read(sold);
  const [book] = found.books;
  expect(book).toMatchObject({ nbv: eur("0.00"), accumulated: eur("100.00") });
  expect(book?.disposal).toMatchObject({
    ...{ nbvAtDisposal: eur("1100.00"), gainLoss: eur("-100.00"), bookedIn: "2026-04" },
  });
  expect(linesOf(found)).toEqual([
    ["CHARGE", "POSTED", 1, 10_000],
    ["CHARGE", "POSTED", 2, 10_000],
    ["CHARGE", "POSTED", 3, 10_000],
    ["REVERSAL", "POSTED", 3, -10_000],
    ["DISPOSAL", "POSTED", 2, -10_000],
  ]);
  expect(book?.lines.slice(3).map(({ derivation }) => derivation)).toEqual([
    "gives back a charge after the disposal on 2026-02-10 = -100.00",
    "100.00 due up to the disposal on 2026-02-10 by full_month - 200.00 charged = -100.00",
  ]);
});

test("units of production: the forecast ends with the readings", async () => {
  const assetId = await projected({ cost: eur("1000.00"), inServiceDate: "2026-03-01" });
  finance.maintenance.setUnits(assetId, (month) => (month < "2026-04" ? 100 : 150.5));
  const method = DepreciationMethod.UNITS_OF_PRODUCTION;
  await save({ assetId, fields: { method, totalUnits: 1000 } });
  const found = await read(assetId, Book.BOOK);
  expect(linesOf(found)).toEqual([
    ["CHARGE", "FORECAST", 3, 10_000],
    ["CHARGE", "FORECAST", 4, 5050],
  ]);
  expect(found.books[0]?.lines[1]?.derivation).toBe(
    "units of production: (1,000.00 - 0.00 - 100.00 charged) x 50.5 / 900 units left = 50.50",
  );
});

test("a deleted asset is answered without a forecast; an unknown one and that of another workspace are NOT_FOUND", async () => {
  const assetId = await projected({ ...straightLine, inServiceDate: "2026-04-01" });
  await publishAsset(assetId, { deletedAt: timestampFromDate(new Date()), rev: 2 });
  await eventually(async () => {
    const found = await read(assetId, Book.BOOK);
    expect(found.books[0]).toMatchObject({ nbv: eur("1200.00"), lines: [] });
  });
  const other = await newWorkspace(finance);
  const ask = (id: string, by = workspace.viewer) =>
    codeOf(depreciation.getAssetDepreciation({ assetId: id }, by));
  expect(await ask(newId("ast"))).toBe("NOT_FOUND");
  expect(await ask(assetId, other.viewer)).toBe("NOT_FOUND");
});
