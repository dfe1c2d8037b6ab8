import { eventually } from "@asset-register/harness";
import { codeOf } from "@asset-register/service-harness";
import { afterAll, expect, test } from "vitest";
import { eur, startFinance } from "../support.ts";
import { type Books, holdPosting, newBooks, RunStatus, runCalls } from "./run-support.ts";

const finance = await startFinance();
const { maintenance } = finance;
afterAll(() => finance.stop());

/** Another process of the service, and calls to it. */
async function startChild(books: Books) {
  const { ports, kill } = await finance.spawn();
  return { ...runCalls(finance, books, ports), kill };
}

test("a process that is killed while a run is computing, and another one while it posts: each line is there once", async () => {
  const books = await newBooks(finance);
  const ids = await books.addAssets(600);
  const [last = ""] = await books.addAssets(1, { method: "units_of_production", totalUnits: 1_200 });
  maintenance.setUnits(last, () => 100);
  const late = ids.at(-1) ?? "";
  // The killed process is the only one.
  await finance.stopProcess(finance.app);
  const killed = await startChild(books);
  const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  maintenance.onUnits(async () => {
    reached.resolve();
    await gate.promise;
  });
  const created = codeOf(killed.create(1));
  await reached.promise;
  await killed.kill();
  // It fails, or has answered 202 already.
  await created;
  gate.resolve();
  const [left] = await books.stored("runs");
  expect(left).toMatchObject({ status: "computing", progress: { done: 500 } });
  const id = String(left?._id);

  await finance.expireKilled("runs", "asset_syncs");
  const second = await startChild(books);
  const draft = await second.ended(id);
  expect(draft).toMatchObject({ status: RunStatus.DRAFT, totals: { lines: 601, current: eur("6010.00") } });
  expect(await books.stored("run_lines")).toHaveLength(601);

  const hold = await holdPosting(finance, books, late);
  await eventually(async () => {
    const [{ status } = {}] = await books.stored("runs");
    // Again if a busy machine has not applied register's changes in 2 s.
    if (status === "draft") await codeOf(second.postOnce(id));
    expect(await books.stored("runs")).toMatchObject([{ status: "posting", progress: { done: 500 } }]);
  });
  await second.kill();
  await hold.go();
  expect(await books.stored("ledger")).toHaveLength(500);
  await finance.expireKilled("runs");
  const successor = runCalls(finance, books, (await finance.start()).ports);
  expect(await successor.ended(id)).toMatchObject({ status: RunStatus.POSTED, totals: draft.totals });
  expect(await books.stored("ledger")).toHaveLength(601);
  expect(await books.stored("booked_amounts")).toMatchObject([{ kind: "charge", amount: 601_000 }]);
});
