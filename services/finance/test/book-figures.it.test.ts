import { eventually } from "@asset-register/harness";
import { Book } from "@asset-register/proto/assetregister/finance/v1/book_pb";
import { DepreciationReportService } from "@asset-register/proto/assetregister/finance/v1/depreciation_report_pb";
import { DisposalMethod } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { AppError, requireFound } from "@asset-register/runtime";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { addMonths, later, type Period, periodAt } from "../src/domain/period.ts";
import { profileCalls, sameAsProfile } from "./profile-support.ts";
import { newBooks } from "./run-support.ts";
import { startFinance } from "./support.ts";

/*
 * The figures of reports, over random orders of runs that are late, changes, deletions and disposals. What they should be is
 * computed here from what was done and from the rows of the ledger, by finance.md and not by the code.
 */

const FIRST = "2026-01";
const LAST = "2027-06";
let month: Period = FIRST;
const finance = await startFinance({ now: () => new Date(`${month}-15T12:00:00Z`) });
afterAll(() => finance.stop());
const reports = finance.client(DepreciationReportService);

const books = { book: Book.BOOK, tax: Book.TAX } as const;
type BookName = keyof typeof books;

type Action =
  | { kind: "wait"; months: number }
  | { kind: "asset"; start: number; cost: number }
  | { kind: "tax"; asset: number; start: number; cost: number }
  | { kind: "change"; book: BookName; asset: number; cost: number; from: number | undefined }
  | { kind: "run"; book: BookName; months: number }
  | { kind: "dispose"; asset: number; day: number }
  | { kind: "delete"; asset: number };

const nat = (max: number) => fc.nat({ max });
const book = fc.constantFrom<BookName>("book", "tax");
const cost = fc.integer({ min: 1_000, max: 400_000 });
const of = <K extends Action["kind"]>(
  weight: number,
  kind: K,
  fields: {
    [F in Exclude<keyof Extract<Action, { kind: K }>, "kind">]: fc.Arbitrary<Extract<Action, { kind: K }>[F]>;
  },
) => ({
  weight,
  arbitrary: fc.record({ kind: fc.constant(kind), ...fields }) as unknown as fc.Arbitrary<Action>,
});

const actions = fc.oneof(
  of(3, "wait", { months: nat(3) } as never),
  of(3, "asset", { start: nat(6), cost } as never),
  of(2, "tax", { asset: nat(3), start: nat(6), cost } as never),
  of(5, "change", { book, asset: nat(3), cost, from: fc.option(nat(8), { nil: undefined }) } as never),
  of(6, "run", { book, months: nat(2) } as never),
  of(2, "dispose", { asset: nat(3), day: nat(120) } as never),
  of(2, "delete", { asset: nat(3) } as never),
);

type Counting = { effect: Period; countsFrom: Period; cost: number };
type Modelled = { changes: Counting[]; endedFrom?: Period | undefined; isEnded: boolean };
type ModelledAsset = { id: string; profiles: Partial<Record<BookName, Modelled>>; isGone: boolean };

type Row = { assetId: string; book: BookName; kind: string; bookedIn: Period; amount: number };
type StoredDisposal = { assetId: string; book: BookName; bookedIn: Period; nbvAtDisposal: number };

/** A workspace in which actions are done, and the model of what they mean. */
async function newModel() {
  month = FIRST;
  const workspace = await newBooks(finance);
  const { workspaceId, draft, post, ended, stored } = workspace;
  const { projected, publishAsset, save } = profileCalls(finance, workspace);
  const assets: ModelledAsset[] = [];
  const open: Partial<Record<BookName, Period>> = {};
  const reported = new Map<string, unknown>();
  const eurOf = (minorUnits: number) => ({ minorUnits: BigInt(minorUnits), currency: "EUR" });
  const startOf = (start: number) => addMonths(FIRST, start);

  async function rowOf(name: BookName, from: Period, to = from) {
    const answer = await reports.getDepreciationReport({ book: books[name], from, to }, workspace.viewer);
    const rows = requireFound(answer.report).books[0]?.rows ?? [];
    const sum = (field: "charged" | "impaired" | "reversed" | "disposed" | "nbv") =>
      rows.reduce((total, row) => total + Number(row[field]?.minorUnits ?? 0n), 0);
    return { charged: sum("charged"), reversed: sum("reversed"), disposed: sum("disposed"), nbv: sum("nbv") };
  }

  async function create(name: BookName, asset: ModelledAsset, start: number, cost: number): Promise<void> {
    const first = startOf(start);
    const fields = { ...sameAsProfile, cost: eurOf(cost), inServiceDate: `${first}-01` };
    await save({ assetId: asset.id, book: books[name], fields });
    const countsFrom = later(first, open[name]);
    asset.profiles[name] = { changes: [{ effect: first, countsFrom, cost }], isEnded: false };
  }

  async function change(name: BookName, asset: ModelledAsset, cost: number, from: number | undefined) {
    const profile = asset.profiles[name];
    if (profile === undefined || asset.isGone) return;
    const effectiveOn = from === undefined ? undefined : `${startOf(from)}-01`;
    const saved = await save({
      assetId: asset.id,
      book: books[name],
      fields: { cost: eurOf(cost) },
      effectiveOn,
    });
    const newest = requireFound(saved.profile?.changes.at(-1));
    if (newest.fields?.cost?.minorUnits !== BigInt(cost) || saved.created) return;
    const effect = newest.effectiveOn.slice(0, 7);
    const [creation] = profile.changes;
    const countsFrom = later(later(effect, open[name]), creation?.countsFrom);
    if (saved.profile?.changes.length === profile.changes.length) profile.changes.pop();
    profile.changes.push({ effect, countsFrom, cost });
  }

  async function run(name: BookName, months: number): Promise<void> {
    const period = addMonths(open[name] ?? FIRST, months);
    if (period > month || period > "2026-12") return;
    const made = await draft(Number(period.slice(5)), books[name]);
    await post(made.id);
    await ended(made.id);
    open[name] = addMonths(period, 1);
    reported.set(`${name} ${period}`, await rowOf(name, period));
  }

  async function dispose(asset: ModelledAsset, day: number): Promise<void> {
    const date = new Date(Date.parse(`${FIRST}-05`) + day * 86_400_000).toISOString().slice(0, 10);
    if (asset.isGone || date.slice(0, 7) > month) return;
    asset.isGone = true;
    await publishAsset(asset.id, { disposed: { date, method: DisposalMethod.SOLD, proceeds: eurOf(5_000) } });
    await eventually(async () => {
      const accounted = await stored("disposals", { assetId: asset.id, status: "accounted" });
      expect(accounted).toHaveLength(asset.profiles.tax === undefined ? 1 : 2);
    });
  }

  async function remove(asset: ModelledAsset): Promise<void> {
    if (asset.isGone) return;
    asset.isGone = true;
    await publishAsset(asset.id, { deletedAt: timestampFromDate(new Date()) });
    await eventually(async () => {
      const profiles = await stored("profiles", { assetId: asset.id });
      expect(profiles.every(({ endedAt }) => endedAt !== undefined)).toBe(true);
      expect((await finance.stores.assets.get(workspaceId, asset.id))?.deletedAt).toBeDefined();
    });
    for (const name of ["book", "tax"] as const) {
      const profile = asset.profiles[name];
      if (profile) Object.assign(profile, { isEnded: true, endedFrom: open[name] });
    }
  }

  async function applied(action: Action): Promise<void> {
    if (action.kind === "wait") month = addMonths(month, action.months);
    if (action.kind === "run") return run(action.book, action.months);
    if (action.kind === "asset" && assets.length < 4) {
      const asset: ModelledAsset = { id: await projected(), profiles: {}, isGone: false };
      assets.push(asset);
      return create("book", asset, action.start, action.cost);
    }
    const asset = "asset" in action ? assets[action.asset] : undefined;
    if (asset === undefined) return;
    if (action.kind === "tax" && !asset.profiles.tax && !asset.isGone) {
      return create("tax", asset, action.start, action.cost);
    }
    if (action.kind === "change") return change(action.book, asset, action.cost, action.from);
    if (action.kind === "dispose") return dispose(asset, action.day);
    if (action.kind === "delete") return remove(asset);
  }

  return {
    rowOf,
    reported,
    /** A refusal changes nothing. */
    async apply(action: Action): Promise<void> {
      try {
        await applied(action);
      } catch (error) {
        if (!(error instanceof AppError) || !["invalid", "conflict"].includes(error.kind)) throw error;
      }
    },
    /** What a month should report. */
    async expected(name: BookName, at: Period) {
      const rows = (await stored("ledger", { book: name })) as unknown as Row[];
      const disposals = (await stored("disposals", { book: name })) as unknown as StoredDisposal[];
      const nbv = assets.reduce((sum, { id, profiles }) => {
        const profile = profiles[name];
        const disposal = disposals.find(({ assetId }) => assetId === id);
        if (profile === undefined || (disposal && disposal.bookedIn <= at)) return sum;
        if (profile.isEnded && (profile.endedFrom === undefined || at >= profile.endedFrom)) return sum;
        const own = rows.filter(({ assetId, bookedIn }) => assetId === id && bookedIn <= at);
        return sum + costAt(profile, at) - total(own);
      }, 0);
      const booked = rows.filter(({ bookedIn }) => bookedIn === at);
      const isReversal = ({ kind }: Row) => kind === "reversal";
      return {
        charged: total(booked.filter((row) => !isReversal(row))),
        reversed: 0 - total(booked.filter(isReversal)),
        disposed: disposals
          .filter(({ bookedIn }) => bookedIn === at)
          .reduce((sum, one) => sum + one.nbvAtDisposal, 0),
        nbv,
      };
    },
  };
}

/** The cost in force: that of the change with the latest effect among those that count. */
function costAt({ changes }: Modelled, at: Period): number {
  const counting = changes.filter(({ countsFrom }) => countsFrom <= at);
  const [creation, ...others] = counting;
  if (creation === undefined || creation !== changes[0]) return 0;
  // The creation applies from the start.
  return others.reduce((found, one) => (one.effect >= found.effect ? one : found), {
    ...creation,
    effect: "",
  }).cost;
}

const total = (rows: readonly { amount: number }[]): number =>
  rows.reduce((sum, { amount }) => sum + amount, 0);

const months = Array.from({ length: 18 }, (_, index) => periodAt(2026 * 12 + index));

test("each month's report is the sum of its profiles and rows, in both books; a posted month keeps its figures", async () => {
  expect(months.at(-1)).toBe(LAST);
  await fc.assert(
    fc.asyncProperty(fc.array(actions, { minLength: 6, maxLength: 18 }), async (history) => {
      const model = await newModel();
      for (const action of history) await model.apply(action);
      for (const name of ["book", "tax"] as const) {
        for (const at of months) {
          expect({ name, at, ...(await model.rowOf(name, at)) }).toEqual({
            ...{ name, at },
            ...(await model.expected(name, at)),
          });
        }
      }
      for (const [key, figures] of model.reported) {
        const [name, at] = key.split(" ") as [BookName, Period];
        expect({ key, ...(await model.rowOf(name, at)) }).toEqual({ key, ...(figures as object) });
      }
    }),
    { numRuns: 15, endOnFailure: true },
  );
});
