import { eventually } from "@asset-register/harness";
import { Book } from "@asset-register/proto/assetregister/finance/v1/book_pb";
import { DisposalMethod } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { newId } from "@asset-register/runtime";
import { codeOf } from "@asset-register/service-harness";
import { expect, test } from "vitest";
import { profileCalls, straightLine } from "../profiles/profile-support.ts";
import { eur, sharedFinance } from "../support.ts";
import { blockPosting, newBooks, RunStatus } from "./run-support.ts";

const finance = await sharedFinance();
const { register, stores } = finance;

test("a run and its posting apply what register has changed, without any event: a later change makes the draft stale", async () => {
  const books = await newBooks(finance);
  const { workspaceId } = books;
  const [asset, sold] = [register.put(workspaceId, straightLine), register.put(workspaceId, straightLine)];
  const first = await books.draft(1);
  expect(first.totals).toMatchObject({ assets: 2, current: eur("200.00") });
  register.put(workspaceId, { id: asset, cost: eur("2400.00") });
  expect(await codeOf(books.post(first.id))).toBe("RUN_STALE");
  await books.discard(first.id);

  const second = await books.draft(1);
  expect(second.totals).toMatchObject({ current: eur("300.00") });
  const disposed = { date: "2026-01-20", method: DisposalMethod.SCRAPPED };
  register.put(workspaceId, { id: sold, disposed });
  expect(await codeOf(books.post(second.id))).toBe("RUN_STALE");
  await books.discard(second.id);
  // The disposal is accounted by now, or its asset is skipped.
  const third = await books.draft(1);
  expect(third.totals).toMatchObject({ assets: 1, current: eur("200.00") });
  register.put(workspaceId, { id: asset, name: "Renamed" });
  await books.post(third.id);
  expect(await books.ended(third.id)).toMatchObject({ status: RunStatus.POSTED });
  expect(await books.stored("ledger", { kind: "charge" })).toHaveLength(1);
});

test("defaults of a category make missing profiles in the next run, and change no draft", async () => {
  const books = await newBooks(finance);
  const { workspaceId } = books;
  const categoryId = newId("cat");
  let sequence = 0;
  const setDefaults = (usefulLifeMonths?: number) => {
    sequence += 1;
    const depreciation = usefulLifeMonths
      ? { method: "straight_line" as const, usefulLifeMonths }
      : undefined;
    const fields = { name: "Tools", deleted: false, depreciation };
    return stores.categories.project([{ workspaceId, id: categoryId, epoch: 0, sequence, fields }]);
  };
  await setDefaults();
  const { cost, inServiceDate } = straightLine;
  const asset = register.put(workspaceId, { categoryId, cost, inServiceDate });
  const bare = await books.draft(1);
  expect(bare.skipped).toMatchObject([{ assetId: asset, reason: "NO_PROFILE" }]);
  await setDefaults(12);
  expect(await books.read(bare.id)).toMatchObject({ stale: false });
  await books.discard(bare.id);

  const draft = await books.draft(1);
  expect(draft).toMatchObject({
    totals: { assets: 1, current: eur("100.00") },
    journal: [{ categoryId, amount: eur("100.00") }],
  });
  await setDefaults(24);
  await books.post(draft.id);
  expect(await books.ended(draft.id)).toMatchObject({ status: RunStatus.POSTED });
  expect(await books.stored("booked_amounts", { kind: "charge" })).toMatchObject([
    { categoryId, kind: "charge", amount: 10_000 },
  ]);
});

test("a profile that is changed while its line waits to be posted: the change begins in the month after the run", async () => {
  const books = await newBooks(finance);
  const { save, profileOf } = profileCalls(finance, books);
  const ids = await books.addAssets(600);
  const [waiting = "", held = ""] = ids.slice(-2);
  const { id } = await books.draft(1);
  const hold = await blockPosting(finance, books, held);
  await books.post(id);
  await eventually(async () => expect(await books.read(id)).toMatchObject({ progress: { done: 500 } }));
  const fields = { convention: 2 };
  const early = save({ assetId: waiting, fields, effectiveOn: "2026-01-01" });
  expect(await codeOf(early)).toBe("PROFILE_PERIOD_POSTED");
  await save({ assetId: waiting, fields });
  await hold.go();
  expect(await books.ended(id)).toMatchObject({ status: RunStatus.POSTED });
  expect(await profileOf(waiting, Book.BOOK)).toMatchObject({ changes: [{}, { effectiveOn: "2026-02-01" }] });
  expect(await books.stored("ledger")).toHaveLength(600);
});
