import { eventually } from "@asset-register/harness";
import { RunLineKind } from "@asset-register/proto/assetregister/finance/v1/depreciation_run_pb";
import { codeOf, failure } from "@asset-register/service-harness";
import { expect, test } from "vitest";
import { eur, sharedFinance } from "../support.ts";
import { Book, newBooks, RunStatus } from "./run-support.ts";

const finance = await sharedFinance();

const amounts = (rows: readonly Record<string, unknown>[]) => rows.map(({ amount }) => amount);

test("a draft has lines, totals, a journal, skipped assets and warnings of months that it catches up, and posts nothing", async () => {
  const books = await newBooks(finance);
  const [early = "", late = ""] = await books.addAssets(2);
  await books.changeProfile(late, { inServiceDate: "2026-03-01" });
  const [manual = ""] = await books.addAssets(1, { method: "manual" });
  const [bare = ""] = await books.addAssets(1, {}, ["tax"]);

  const run = await books.draft(3);
  expect(run).toMatchObject({
    ...{ status: RunStatus.DRAFT, book: Book.BOOK, year: 2026, month: 3, stale: false, rev: 2 },
    totals: { assets: 2, lines: 4, current: eur("20.00"), catchUp: eur("20.00"), impairment: eur("0.00") },
    warnings: [{ assetId: early, code: "CATCH_UP", months: 2 }],
    skipped: [
      { assetId: manual, reason: "MANUAL" },
      { assetId: bare, reason: "NO_PROFILE" },
    ].sort((one, other) => (one.assetId < other.assetId ? -1 : 1)),
    skippedCount: 2,
    journal: [
      {
        ...{ debitAccount: "depreciation_expense", creditAccount: "accumulated_depreciation" },
        amount: eur("40.00"),
      },
    ],
    progress: { done: 4, total: 4 },
  });
  const { lines, page } = await books.lines(run.id);
  expect(page?.total).toBe(4);
  expect(lines.map(({ assetId, period }) => [assetId, period?.month])).toEqual(
    [
      [early, 1],
      [early, 2],
      [early, 3],
      [late, 3],
    ].sort(),
  );
  expect(lines.find(({ period }) => period?.month === 2)).toMatchObject({
    ...{ runId: run.id, kind: RunLineKind.CHARGE, period: { year: 2026, month: 2 } },
    ...{ openingNbv: eur("110.00"), amount: eur("10.00"), closingNbv: eur("100.00") },
    derivation: "straight line: (120.00 - 0.00 - 10.00 charged) x 1 / 11 months left = 10.00",
  });
  expect((await books.lines(run.id, { assetId: late })).lines).toHaveLength(1);
  expect((await books.lines(run.id, { assetId: "ast_none" })).lines).toEqual([]);
  const skipped = await books.lines(run.id, { skipped: true, assetId: bare });
  expect([skipped.lines, skipped.skipped]).toMatchObject([[], [{ assetId: bare, reason: "NO_PROFILE" }]]);
  expect((await books.lines(run.id, { skipped: true })).page?.total).toBe(2);
  expect(await books.stored("ledger")).toEqual([]);
  expect(await books.stored("booked_amounts")).toEqual([]);
  expect((await books.profile(early)).carry).toMatchObject({ accumulated: 0 });
});

test("a first run after twenty years takes several chunks: each asset has each of its months once", async () => {
  const books = await newBooks(finance);
  const inputs = { inServiceDate: "2006-01-01", cost: 36_000, lifeMonths: 360 };
  const ids = await books.addAssets(30, inputs);
  const run = await books.draft(3);
  expect(run).toMatchObject({
    ...{ status: RunStatus.DRAFT, progress: { done: 30, total: 30 } },
    totals: { assets: 30, lines: 30 * 243, current: eur("30.00"), catchUp: eur("7260.00") },
  });
  const stored = await books.stored("run_lines");
  const periods = Map.groupBy(stored, ({ assetId }) => assetId);
  expect([...periods.keys()].sort()).toEqual([...ids].sort());
  for (const own of periods.values()) expect(new Set(own.map(({ period }) => period)).size).toBe(243);
});

test("the event of a posted run names the months since the last posted run of its book", async () => {
  const books = await newBooks(finance);
  await books.addAssets(1);
  const january = await books.draft(1);
  await books.post(january.id);
  await books.ended(january.id);
  const march = await books.draft(3);
  await books.post(march.id);
  await eventually(() => expect(finance.recorded.depreciationRun.of(march.id)).toHaveLength(1));
  expect(finance.recorded.depreciationRun.of(march.id)[0]?.message?.change.value).toMatchObject({
    ...{ from: { year: 2026, month: 2 }, to: { year: 2026, month: 3 } },
  });
});

test("posting books the lines of the draft, raises the counters and publishes the values of book `book`; of a tax run only that it was posted", async () => {
  const books = await newBooks(finance);
  const ids = await books.addAssets(3);
  const tax = await books.draft(2, Book.TAX);
  await books.post(tax.id);
  expect(await books.ended(tax.id)).toMatchObject({ status: RunStatus.POSTED, rev: 4 });
  const draft = await books.draft(2);
  await books.post(draft.id, [draft.rev]);
  const posted = await books.ended(draft.id);
  expect(posted).toMatchObject({
    ...{
      status: RunStatus.POSTED,
      progress: { done: 6, total: 6 },
      totals: draft.totals,
      journal: draft.journal,
    },
    postedBy: { id: expect.stringContaining("usr_") },
  });
  expect(posted.postedAt).toBeDefined();

  const rows = await books.stored("ledger", { book: "book" });
  expect(rows).toHaveLength(6);
  expect(amounts(rows)).toEqual([1_000, 1_000, 1_000, 1_000, 1_000, 1_000]);
  expect(new Set(rows.map(({ bookedIn, causeId }) => `${bookedIn} ${causeId}`))).toEqual(
    new Set([`2026-02 ${draft.id}`]),
  );
  const counters = await books.stored("booked_amounts");
  expect(counters.map(({ book, bookedIn, kind, amount }) => [book, bookedIn, kind, amount])).toEqual([
    ["book", "2026-02", "charge", 6_000],
    ["tax", "2026-02", "charge", 6_000],
  ]);
  expect((await books.profile(ids[0] ?? "")).carry).toMatchObject({
    accumulated: 2_000,
    chargedThrough: "2026-02",
  });
  const published = (id: string) =>
    finance.recorded.depreciation.of(id).filter(({ message }) => message?.change.case === "posted");
  await eventually(() => expect(ids.map((id) => published(id).length)).toEqual([1, 1, 1]));
  expect(published(ids[0] ?? "")[0]?.message?.state).toMatchObject({
    nbv: eur("100.00"),
    accumulated: eur("20.00"),
  });
  const february = { year: 2026, month: 2 };
  for (const [{ id }, book] of [
    [tax, Book.TAX],
    [draft, Book.BOOK],
  ] as const) {
    await eventually(() => expect(finance.recorded.depreciationRun.of(id)).toHaveLength(1));
    expect(finance.recorded.depreciationRun.of(id)[0]).toMatchObject({
      ...{ type: "depreciation-run.posted", sequence: 4 },
      message: {
        change: {
          case: "posted",
          value: { runId: id, book, from: february, to: february, lines: 6, skipped: 0 },
        },
      },
    });
  }
  await eventually(() => {
    const entries = finance.auditEntries(books.workspaceId).filter(({ subjectId }) => subjectId === draft.id);
    expect(entries.map(({ action }) => action)).toEqual(["depr_run.created", "depr_run.posted"]);
  });

  // The next month charges what is left, and the ledger of the first one is unchanged.
  const next = await books.draft(3);
  expect(next.totals).toMatchObject({ lines: 3, current: eur("30.00"), catchUp: eur("0.00") });
  await books.post(next.id);
  await books.ended(next.id);
  expect(await books.stored("ledger", { book: "book", bookedIn: "2026-02" })).toEqual(rows);
});

test("two creates at once: one succeeds, the other gets RUN_LIVE with the id of the run; the other book is free", async () => {
  const books = await newBooks(finance);
  await books.addAssets(2);
  const answers = await Promise.allSettled([books.create(1), books.create(2), books.create(1)]);
  const made = answers.flatMap((one) => (one.status === "fulfilled" ? [one.value.id] : []));
  const refused = answers.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  expect(made).toHaveLength(1);
  for (const error of refused) {
    expect(error).toMatchObject({ code: "RUN_LIVE", violations: [{ field: "run_id", message: made[0] }] });
  }
  expect(await books.stored("runs")).toHaveLength(1);
  expect(await books.draft(1, Book.TAX)).toMatchObject({ status: RunStatus.DRAFT });
});

test("a posted month is RUN_EXISTS; a month before it or after the present one is refused on month; RUN_LIVE comes first", async () => {
  const books = await newBooks(finance);
  await books.addAssets(1);
  const posted = await books.draft(2);
  expect(await codeOf(books.create(2))).toBe("RUN_LIVE");
  await books.post(posted.id);
  await books.ended(posted.id);
  expect(await failure(books.create(2))).toMatchObject({
    ...{ code: "RUN_EXISTS", violations: [{ field: "run_id", message: posted.id }] },
  });
  const future = () => books.runs.createRun({ year: 2999, month: 1 }, books.accountant);
  for (const create of [() => books.create(1), future]) {
    expect(await failure(create())).toMatchObject({
      code: "VALIDATION_FAILED",
      violations: [{ field: "month" }],
    });
  }
  const wrong = books.runs.createRun({ year: 2026, month: 13 }, books.accountant);
  expect(await failure(wrong)).toMatchObject({ violations: [{ field: "month" }] });
  const skipping = await books.draft(5);
  expect(skipping.totals).toMatchObject({ lines: 3, catchUp: eur("20.00") });
});

test("two posts at once: one posts, the other gets RUN_STATE, and each line is in the ledger once", async () => {
  const books = await newBooks(finance);
  await books.addAssets(3);
  const { id } = await books.draft(2);
  const codes = await Promise.all([codeOf(books.post(id)), codeOf(books.post(id))]);
  expect(codes.sort()).toEqual(["RUN_STATE", undefined]);
  expect(await books.ended(id)).toMatchObject({ status: RunStatus.POSTED });
  expect(await books.stored("ledger")).toHaveLength(6);
  expect(await codeOf(books.discard(id))).toBe("RUN_STATE");
});

test("a discarded run leaves nothing behind, and the month can be computed again", async () => {
  const books = await newBooks(finance);
  await books.addAssets(2);
  await books.addAssets(1, {}, ["tax"]);
  const { id } = await books.draft(2);
  expect(await books.discard(id)).toMatchObject({
    ...{ status: RunStatus.DISCARDED, skippedCount: 0, warnings: [], journal: [] },
    totals: { assets: 0, lines: 0 },
  });
  for (const rows of ["run_lines", "run_skips", "run_warnings", "run_changes", "ledger", "booked_amounts"]) {
    await eventually(async () => expect(await books.stored(rows)).toEqual([]));
  }
  expect((await books.lines(id)).page?.total).toBe(0);
  expect(await codeOf(books.post(id))).toBe("RUN_STATE");
  expect(await books.draft(2)).toMatchObject({ status: RunStatus.DRAFT, totals: { lines: 4 } });
});

test("posts and discards compare the rev: 404, then PRECONDITION_FAILED, then RUN_STATE; lists filter by book", async () => {
  const books = await newBooks(finance);
  await books.addAssets(1);
  const { id } = await books.draft(1);
  expect(await codeOf(books.post("run_none", [9]))).toBe("NOT_FOUND");
  expect(await codeOf(books.lines("run_none"))).toBe("NOT_FOUND");
  expect(await codeOf(books.post(id, [9]))).toBe("PRECONDITION_FAILED");
  await books.discard(id);
  expect(await codeOf(books.post(id, [9]))).toBe("PRECONDITION_FAILED");
  expect(await codeOf(books.post(id))).toBe("RUN_STATE");
  const list = async (book?: Book) =>
    (await books.runs.listRuns({ book }, books.viewer)).runs.map((run) => run.id);
  expect([await list(), await list(Book.BOOK), await list(Book.TAX)]).toEqual([[id], [id], []]);
  const other = await newBooks(finance);
  expect(await codeOf(other.read(id))).toBe("NOT_FOUND");
});

test("a run whose amounts are too large fails with its error, leaves no live run, and can be discarded", async () => {
  const books = await newBooks(finance);
  await books.addAssets(2, { cost: Number.MAX_SAFE_INTEGER, lifeMonths: 1 });
  const failed = await books.draft(1);
  expect(failed).toMatchObject({ status: RunStatus.FAILED, error: { code: "TOO_LARGE" }, rev: 2 });
  expect(await codeOf(books.post(failed.id))).toBe("RUN_STATE");
  expect(await books.discard(failed.id)).toMatchObject({ status: RunStatus.DISCARDED });
  expect(await books.draft(1)).toMatchObject({ status: RunStatus.FAILED });
});
