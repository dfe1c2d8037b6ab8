import { eventually } from "@asset-register/harness";
import { Book } from "@asset-register/proto/assetregister/finance/v1/book_pb";
import { DisposalService, DisposalStatus } from "@asset-register/proto/assetregister/finance/v1/disposal_pb";
import { FinanceDirectoryService } from "@asset-register/proto/assetregister/finance/v1/finance_directory_pb";
import { DisposalMethod } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { requireFound } from "@asset-register/runtime";
import { codeOf, failure } from "@asset-register/service-harness";
import { afterAll, expect, test } from "vitest";
import { lastState, profileCalls, sameAsProfile, straightLine } from "../profiles/profile-support.ts";
import { blockPosting, newBooks } from "../runs/run-support.ts";
import { eur, newWorkspace, startFinance } from "../support.ts";

const finance = await startFinance({ now: () => new Date("2026-06-15T12:00:00Z") });
afterAll(() => finance.stop());
const disposals = finance.client(DisposalService);
const directory = finance.client(FinanceDirectoryService, "register");

async function setUp() {
  const books = await newBooks(finance);
  const calls = profileCalls(finance, books);
  const { workspaceId } = books;
  return {
    ...{ books, ...calls },
    /** An asset with a profile of book `book`: 100.00 a month in 2026. */
    async depreciated(): Promise<string> {
      const id = await calls.projected({ ...straightLine });
      await calls.eventuallyProfile(id, () => undefined);
      return id;
    },
    /** Posts all months of a book up to one of 2026. */
    async postUntil(month: number): Promise<void> {
      const { id } = await books.draft(month);
      await books.post(id);
      await books.ended(id);
    },
    sell: (id: string, date: string, proceeds: string) =>
      calls.publishAsset(id, {
        disposed: { date, method: DisposalMethod.SOLD, proceeds: eur(proceeds) },
      }),
    accounted: (id: string, book: "book" | "tax" = "book") =>
      eventually(async () => {
        const found = requireFound(await finance.stores.disposals.get(workspaceId, id, book), "disposal");
        expect(found.status).toBe("accounted");
        return found;
      }),
    ledgerOf: async (assetId: string) =>
      (await books.stored("ledger", { assetId })).map(({ kind, period, bookedIn, amount }) => [
        ...[kind, period, bookedIn, amount],
      ]),
  };
}

test("a sale above NBV in a posted month: later charges are reversed, the figures of posted months stay", async () => {
  const { depreciated, postUntil, sell, accounted, ledgerOf, books } = await setUp();
  const id = await depreciated();
  await postUntil(4);
  const posted = await ledgerOf(id);
  expect(posted).toHaveLength(4);
  const asked = { workspaceId: books.workspaceId, assetId: id };
  expect((await directory.hasPostedDepreciation(asked)).hasPosted).toBe(true);
  await sell(id, "2026-03-15", "1100.00");
  const disposal = await accounted(id);
  expect(disposal).toMatchObject({
    ...{ nbvAtDisposal: 100_000, accumulated: 20_000, gainLoss: 10_000, bookedIn: "2026-05" },
    journal: expect.arrayContaining([
      ...[
        { debitAccount: "accumulated_depreciation", creditAccount: "asset_cost", amount: 20_000 },
        { debitAccount: "proceeds_clearing", creditAccount: "asset_cost", amount: 100_000 },
        { debitAccount: "proceeds_clearing", creditAccount: "gain_on_disposal", amount: 10_000 },
      ].map((entry) => ({ ...entry, bookedIn: "2026-05" })),
    ]),
  });
  const rows = await ledgerOf(id);
  expect(rows).toHaveLength(6);
  expect(rows).toEqual(
    expect.arrayContaining([
      ...posted,
      ["reversal", "2026-04", "2026-05", -10_000],
      ["disposal", "2026-03", "2026-05", -10_000],
    ]),
  );
  const page = { page: 1, limit: 10 };
  const { disposals: listed } = await disposals.listDisposals({ page }, books.viewer);
  expect(listed[0]?.journal).toHaveLength(4);
  await eventually(() =>
    expect(lastState(finance, id)).toMatchObject({
      ...{ change: "disposed", nbv: 0n, accumulated: 20_000n, gainLoss: 10_000n },
    }),
  );
});

test("a sale below NBV before any run: charged up to the date, booked in its month; later runs leave it out", async () => {
  const { depreciated, sell, accounted, ledgerOf, books, save } = await setUp();
  const [id, other] = [await depreciated(), await depreciated()];
  await save({ assetId: id, book: Book.TAX, fields: sameAsProfile });
  const draft = await books.draft(5);
  await sell(id, "2026-02-10", "500.00");
  expect(await accounted(id)).toMatchObject({
    nbvAtDisposal: 110_000,
    gainLoss: -60_000,
    bookedIn: "2026-02",
  });
  expect(await accounted(id, "tax")).toMatchObject({ nbvAtDisposal: 110_000, gainLoss: -60_000 });
  expect(await ledgerOf(id)).toEqual([
    ["disposal", "2026-01", "2026-01", 10_000],
    ["disposal", "2026-01", "2026-01", 10_000],
  ]);
  expect((await books.read(draft.id)).stale).toBe(true);
  await books.discard(draft.id);
  const again = await books.draft(5);
  expect([again.totals?.assets, again.skippedCount]).toEqual([1, 0]);
  expect((await books.lines(again.id)).lines[0]?.assetId).toBe(other);
  expect(await codeOf(save({ assetId: id, fields: { cost: eur("1.00") } }))).toBe("ASSET_DISPOSED");

  const list = async (filter: { book?: Book; from?: string; to?: string }, as = books.viewer) =>
    (await disposals.listDisposals({ page: { page: 1, limit: 10 }, ...filter }, as)).disposals;
  expect(await list({ book: Book.TAX })).toMatchObject([
    {
      ...{ assetId: id, date: "2026-02-10", method: DisposalMethod.SOLD, status: DisposalStatus.ACCOUNTED },
      ...{ proceeds: eur("500.00"), gainLoss: { minorUnits: -60_000n }, bookedIn: "2026-02" },
    },
  ]);
  expect(await list({ from: "2026-02", to: "2026-02" })).toHaveLength(2);
  expect(await list({ from: "2026-03" })).toEqual([]);
  expect(await codeOf(list({ from: "2026-13" }))).toBe("VALIDATION_FAILED");
  expect(await list({}, (await newWorkspace(finance)).viewer)).toEqual([]);
});

test("cut-off: a disposal of March that comes before February is posted leaves February its charge", async () => {
  const { depreciated, postUntil, sell, accounted, ledgerOf, books } = await setUp();
  const [id, other] = [await depreciated(), await depreciated()];
  await postUntil(1);
  const draft = await books.draft(2);
  await sell(id, "2026-03-15", "1000.00");
  const { journal = [], bookedIn } = await accounted(id);
  expect(bookedIn).toBe("2026-03");
  expect((await ledgerOf(id)).toSorted()).toEqual([
    ["charge", "2026-01", "2026-01", 10_000],
    ["disposal", "2026-02", "2026-02", 10_000],
  ]);
  expect(journal.find(({ debitAccount }) => debitAccount === "depreciation_expense")).toMatchObject({
    ...{ amount: 10_000, bookedIn: "2026-02" },
  });
  // The draft had a line of the asset, which is not charged twice.
  const stale = await failure(books.post(draft.id));
  expect([stale?.code, ...(stale?.violations ?? [])]).toEqual([
    ...["RUN_STALE", { field: "stale", message: "1 asset has changed" }],
    { field: "asset_id", message: id },
  ]);
  await books.discard(draft.id);
  await postUntil(2);
  expect((await ledgerOf(id)).length).toBe(2);
  expect((await ledgerOf(other)).length).toBe(2);
});

test("a disposal of an asset without a line leaves a draft as it is", async () => {
  const { projected, depreciated, sell, accounted, books } = await setUp();
  await depreciated();
  const without = await projected({ cost: eur("80.00") });
  const draft = await books.draft(2);
  await sell(without, "2026-02-10", "10.00");
  await accounted(without);
  expect((await books.read(draft.id)).stale).toBe(false);
});

test("a disposal during a posting waits, and the consumer continues; afterwards the posted charges are reversed", async () => {
  const { depreciated, sell, accounted, ledgerOf, books, projected } = await setUp();
  const id = await depreciated();
  const { id: runId } = await books.draft(2);
  const held = await blockPosting(finance, books, id);
  const posting = books.post(runId);
  await eventually(async () =>
    expect(await finance.stores.runs.findPosting(books.workspaceId, "book")).toBeDefined(),
  );
  await sell(id, "2026-01-20", "1200.00");
  await eventually(async () => {
    const pending = await finance.stores.disposals.get(books.workspaceId, id, "book");
    expect(pending?.status).toBe("pending");
  });
  await projected({ name: "Later" });
  await held.go();
  await posting;
  await books.ended(runId);
  expect(await accounted(id)).toMatchObject({ nbvAtDisposal: 120_000, gainLoss: 0, bookedIn: "2026-03" });
  expect((await ledgerOf(id)).toSorted()).toEqual([
    ["charge", "2026-01", "2026-02", 10_000],
    ["charge", "2026-02", "2026-02", 10_000],
    ["disposal", "2026-01", "2026-03", -10_000],
    ["reversal", "2026-02", "2026-03", -10_000],
  ]);
});

test("an asset without a profile is disposed of at its cost", async () => {
  const { projected, sell, accounted } = await setUp();
  const id = await projected({ cost: eur("80.00") });
  await sell(id, "2026-02-10", "100.00");
  expect(await accounted(id)).toMatchObject({ nbvAtDisposal: 8_000, accumulated: 0, gainLoss: 2_000 });
  await eventually(() =>
    expect(lastState(finance, id)).toMatchObject({ nbv: 0n, gainLoss: 2_000n, sequence: 1 }),
  );
});

test("register disposes while finance is stopped: the disposal is accounted after the start", async () => {
  const { depreciated, sell, accounted } = await setUp();
  const id = await depreciated();
  await finance.stopProcess(finance.app);
  await sell(id, "2026-03-15", "1000.00");
  await finance.start();
  expect(await accounted(id)).toMatchObject({ nbvAtDisposal: 100_000, gainLoss: 0 });
});
