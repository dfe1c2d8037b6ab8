import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "@asset-register/harness";
import { WorkspaceStatus } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { requireFound, unavailable } from "@asset-register/runtime";
import { codeOf, failure, workspaceEvent } from "@asset-register/service-harness";
import { afterEach, expect, test } from "vitest";
import { eur, sharedFinance } from "../support.ts";
import { Book, holdPosting, newBooks, RunStatus } from "./run-support.ts";

const finance = await sharedFinance();
const { maintenance, register, mongo } = finance;
afterEach(() => {
  maintenance.onUnits(async () => undefined);
  register.onPage(async () => undefined);
});

const metered = { method: "units_of_production", totalUnits: 1_200 } as const;

/** Stops a chunk that asks for the units of an asset, until `go`. */
function chunkGate(assetId: string) {
  const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  maintenance.onUnits(async (assetIds) => {
    if (!assetIds.includes(assetId)) return;
    reached.resolve();
    await gate.promise;
  });
  return { reached: reached.promise, go: gate.resolve };
}

test("an input that changes after the draft makes it stale: it cannot be posted, and the next draft has the change", async () => {
  const books = await newBooks(finance);
  const [asset = ""] = await books.addAssets(2);
  const { id, rev } = await books.draft(1);
  await books.changeProfile(asset, { cost: 24_000 }, "2026-02-01");
  expect(await books.read(id)).toMatchObject({ stale: false });
  await books.changeProfile(asset, { cost: 36_000 });
  expect(await books.read(id)).toMatchObject({ stale: true, rev });
  expect(await codeOf(books.post(id))).toBe("RUN_STALE");
  expect(await books.read(id)).toMatchObject({ status: RunStatus.DRAFT, stale: true, rev });
  expect(await books.stored("ledger")).toEqual([]);
  await books.discard(id);
  const next = await books.draft(1);
  expect(next).toMatchObject({ stale: false, totals: { current: eur("40.00") } });
  // A new profile is an input too.
  await books.addAssets(1);
  expect(await codeOf(books.post(next.id))).toBe("RUN_STALE");
});

test("a post against a change: the run posts the values before it, or is RUN_STALE and posts nothing", async () => {
  const books = await newBooks(finance);
  const [asset = ""] = await books.addAssets(1);
  const { id } = await books.draft(1);
  const [posting] = await Promise.all([codeOf(books.post(id)), books.changeProfile(asset, { cost: 24_000 })]);
  const rows = await books.stored("ledger", { book: "book" });
  if (posting === undefined) {
    await books.ended(id);
    expect((await books.stored("ledger")).map(({ amount }) => amount)).toEqual([1_000]);
  } else {
    expect([posting, rows]).toEqual(["RUN_STALE", []]);
  }
});

test("inputs that change between two chunks are computed again before the run is a draft", async () => {
  const books = await newBooks(finance);
  const ids = await books.addAssets(600);
  const [last = ""] = await books.addAssets(1, metered);
  maintenance.setUnits(last, (month) => (month === "2026-01" ? 100 : 0));
  const [early = "", ended = ""] = ids;
  const gate = chunkGate(last);
  const { id } = await books.create(1);
  await gate.reached;
  const { progress, status } = await books.read(id);
  expect([status, progress?.done, progress?.total]).toEqual([RunStatus.COMPUTING, 500, 601]);
  await books.changeProfile(early, { cost: 24_000 });
  await books.changeProfile(ended, { method: "manual" });
  const [bare = ""] = await books.addAssets(1, {}, ["tax"]);
  await books.addProfiles([bare], {}, ["book"]);
  gate.go();
  const draft = await books.ended(id);
  // 600 of 10.00, one less, one of 20.00, one new, and a twelfth of 120.00 by units.
  expect(draft).toMatchObject({
    ...{
      status: RunStatus.DRAFT,
      stale: false,
      skippedCount: 1,
      skipped: [{ assetId: ended, reason: "MANUAL" }],
    },
    totals: { assets: 601, lines: 601, current: eur("6020.00") },
    journal: [{ amount: eur("6020.00") }],
  });
  expect((await books.lines(id, { assetId: early })).lines).toMatchObject([{ amount: eur("20.00") }]);
  expect((await books.lines(id, { assetId: bare })).lines).toHaveLength(1);
  expect(await books.stored("run_changes")).toEqual([]);
  const stored = await books.stored("run_lines");
  expect(stored.reduce((sum, { amount }) => sum + Number(amount), 0)).toBe(602_000);
  expect((await books.post(id)).status).not.toBe(RunStatus.DRAFT);
  expect(await books.ended(id)).toMatchObject({
    status: RunStatus.POSTED,
    progress: { done: 601, total: 601 },
  });
  expect(await books.stored("ledger")).toHaveLength(601);
});

test("a run that is discarded while it is computing leaves nothing, and another run can begin", async () => {
  const books = await newBooks(finance);
  await books.addAssets(500);
  const [last = ""] = await books.addAssets(1, metered);
  const gate = chunkGate(last);
  const { id } = await books.create(1);
  await gate.reached;
  expect(await books.stored("run_lines")).toHaveLength(500);
  expect(await books.discard(id)).toMatchObject({ status: RunStatus.DISCARDED });
  const next = books.create(1);
  gate.go();
  const draft = await books.ended((await next).id);
  expect(draft).toMatchObject({ status: RunStatus.DRAFT, totals: { lines: 501 } });
  await eventually(async () => expect(await books.stored("run_lines", { runId: id })).toEqual([]));
  expect(await books.read(id)).toMatchObject({ status: RunStatus.DISCARDED, totals: { lines: 0 } });
});

test("a change during posting touches neither the posted lines nor the carry; a killed chunk is posted once by another claim", async () => {
  const books = await newBooks(finance);
  const ids = await books.addAssets(600);
  const [first = "", late = ""] = [ids[0], ids.at(-1)];
  const { id } = await books.draft(1);
  const hold = await holdPosting(finance, books, late);
  expect(await books.post(id)).toMatchObject({ status: RunStatus.POSTING });
  await eventually(async () =>
    expect(await books.read(id)).toMatchObject({ progress: { done: 500, total: 600 } }),
  );
  expect(await finance.stores.runs.findPosting(books.workspaceId, "book")).toMatchObject({ id });
  expect(await finance.stores.runs.lastClosed(books.workspaceId, "book")).toBe("2026-01");
  await books.changeProfile(first, { cost: 24_000 }, "2026-02-01");
  expect(await codeOf(books.discard(id))).toBe("RUN_STATE");
  // Another worker has taken the run over, and was killed.
  const dead = {
    "work.leaseHolder": "dead",
    "work.leaseUntil": new Date(Date.now() + 2_000),
    "work.token": 99,
  };
  await mongo.collection("runs").updateOne({ _id: id, workspaceId: books.workspaceId }, { $set: dead });
  await hold.go();
  expect(await books.ended(id)).toMatchObject({
    status: RunStatus.POSTED,
    progress: { done: 600, total: 600 },
  });
  const rows = await books.stored("ledger");
  expect([rows.length, new Set(rows.map(({ amount }) => amount))]).toEqual([600, new Set([1_000])]);
  expect((await books.profile(first)).carry).toMatchObject({ accumulated: 1_000 });
  expect((await books.draft(2)).totals).toMatchObject({ lines: 600 });
});

test("register unavailable at a post: UNAVAILABLE with a time to retry, the run stays a draft, and a worker continues", async () => {
  const books = await newBooks(finance);
  await books.addAssets(1);
  const { id } = await books.draft(1);
  register.onPage(async () => {
    throw unavailable();
  });
  const refused = requireFound(await failure(books.postOnce(id)));
  expect(refused.code).toBe("UNAVAILABLE");
  expect(refused.retryAfterMs).toBeGreaterThan(0);
  expect(await books.read(id)).toMatchObject({ status: RunStatus.DRAFT, stale: false });
  register.onPage(async () => undefined);
  await eventually(async () =>
    expect(await books.stored("asset_syncs")).toMatchObject([{ status: "applied" }]),
  );
  await books.post(id);
  expect(await books.ended(id)).toMatchObject({ status: RunStatus.POSTED });
});

test("changes of register that are slow to apply: UNAVAILABLE after 2 s", async () => {
  const books = await newBooks(finance);
  await books.addAssets(1);
  const { id } = await books.draft(1);
  const gate = Promise.withResolvers<void>();
  register.onPage(() => gate.promise);
  const start = performance.now();
  expect(await codeOf(books.postOnce(id))).toBe("UNAVAILABLE");
  expect(performance.now() - start).toBeGreaterThan(1_900);
  gate.resolve();
  register.onPage(async () => undefined);
  expect((await books.post(id)).status).not.toBe(RunStatus.DRAFT);
});

test("changes of register that take longer than a call: the next attempt uses what the first one began", async () => {
  const books = await newBooks(finance);
  await books.addAssets(1);
  const { id } = await books.draft(1);
  let pages = 0;
  register.onPage(async () => {
    pages += 1;
    await sleep(2_500);
  });
  expect(await codeOf(books.postOnce(id))).toBe("UNAVAILABLE");
  await eventually(async () =>
    expect(await books.stored("asset_syncs")).toMatchObject([{ status: "applied" }]),
  );
  expect((await books.postOnce(id)).status).not.toBe(RunStatus.DRAFT);
  expect(pages).toBe(1);
  register.onPage(async () => undefined);
  // A later run begins again.
  await books.ended(id);
  const next = await books.draft(2);
  await books.post(next.id);
  expect(await books.stored("asset_syncs")).toMatchObject([{ status: "applied", awaitedBy: [] }]);
});

test("changes that were applied more than 15 s before the next attempt: it begins again", async () => {
  const books = await newBooks(finance);
  await books.addAssets(1);
  const { id } = await books.draft(1);
  register.onPage(async () => {
    throw unavailable();
  });
  expect(await codeOf(books.postOnce(id))).toBe("UNAVAILABLE");
  let pages = 0;
  register.onPage(async () => {
    pages += 1;
  });
  await eventually(async () =>
    expect(await books.stored("asset_syncs")).toMatchObject([
      { status: "applied", awaitedBy: [{ runId: id }] },
    ]),
  );
  const before = pages;
  await mongo
    .collection("asset_syncs")
    .updateOne({ workspaceId: books.workspaceId }, { $set: { appliedAt: new Date(Date.now() - 16_000) } });
  await books.post(id);
  expect(pages).toBeGreaterThan(before);
});

test("a third long work of a workspace waits with progress 0 until one of the two others ends", async () => {
  const books = await newBooks(finance);
  await books.addAssets(1);
  const runs = mongo.collection<{ _id: string; workspaceId: string }>("runs");
  const busy = { leaseHolder: "other", leaseUntil: new Date(Date.now() + 3_600_000), token: 1, attempts: 0 };
  const others = ["run_a", "run_b"].map((name) => ({
    ...{
      _id: `${name}_${books.workspaceId}`,
      workspaceId: books.workspaceId,
      book: name,
      status: "computing",
      work: busy,
    },
  }));
  await runs.insertMany(others);
  const { id } = await books.create(1);
  expect(await books.read(id)).toMatchObject({
    status: RunStatus.COMPUTING,
    progress: { done: 0, total: 0 },
  });
  await runs.deleteOne({ _id: others[0]?._id ?? "", workspaceId: books.workspaceId });
  expect(await books.ended(id)).toMatchObject({ status: RunStatus.DRAFT });
});

test("the run of a disabled workspace waits until it is enabled", async () => {
  const books = await newBooks(finance);
  await books.addAssets(500);
  const [last = ""] = await books.addAssets(1, metered);
  const gate = chunkGate(last);
  const { id } = await books.create(1, Book.TAX);
  await gate.reached;
  const projected = (active: boolean) =>
    eventually(async () => expect(await books.stored("workspaces")).toMatchObject([{ active }]));
  await finance.publish(workspaceEvent(books.workspaceId, 2, { status: WorkspaceStatus.DISABLED }));
  await projected(false);
  gate.go();
  await eventually(async () => {
    const waiting = { _id: id, workspaceId: books.workspaceId, "work.attempts": { $gt: 0 } };
    expect(await mongo.collection("runs").findOne(waiting)).toMatchObject({ status: "computing" });
  });
  await finance.publish(workspaceEvent(books.workspaceId, 3));
  expect(await books.ended(id)).toMatchObject({ status: RunStatus.DRAFT, totals: { lines: 501 } });
});
