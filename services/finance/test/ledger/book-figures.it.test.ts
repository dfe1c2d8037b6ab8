import { eventually } from "@asset-register/harness";
import { Book } from "@asset-register/proto/assetregister/finance/v1/book_pb";
import { DepreciationReportService } from "@asset-register/proto/assetregister/finance/v1/depreciation_report_pb";
import { DepreciationMethod, DisposalMethod } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { AppError, requireFound } from "@asset-register/runtime";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { expect, test } from "vitest";
import { addMonths, later, type Period, periodAt } from "../../src/domain/schedule/period.ts";
import { profileCalls, sameAsProfile } from "../profiles/profile-support.ts";
import { newBooks } from "../runs/run-support.ts";
import { sharedFinance } from "../support.ts";

/*
 * The figures of reports, over random orders of runs that are late, changes, impairments, deletions and disposals. What
 * they should be is computed here from what was done and from the rows of the ledger, by finance.md and not by the code.
 */

const FIRST = "2026-01";
const LAST = "2027-06";
let month: Period = FIRST;
const finance = await sharedFinance(() => new Date(`${month}-15T12:00:00Z`));
const reports = finance.client(DepreciationReportService);

const books = { book: Book.BOOK, tax: Book.TAX } as const;
type BookName = keyof typeof books;

type Start = { start: number; cost: number; charged: number; isManual: boolean };
type Action =
  | { kind: "wait"; months: number }
  | ({ kind: "asset" } & Start)
  | ({ kind: "tax"; asset: number } & Start)
  | { kind: "change"; book: BookName; asset: number; cost: number; from: number | undefined }
  | { kind: "impair"; book: BookName; asset: number; amount: number; on: number }
  | { kind: "run"; book: BookName; months: number }
  | { kind: "dispose"; asset: number; day: number }
  | { kind: "delete"; asset: number };

const nat = (max: number) => fc.nat({ max });
const book = fc.constantFrom<BookName>("book", "tax");
const cost = fc.integer({ min: 1_000, max: 400_000 });
/** Charged elsewhere before, in percent of the cost. */
const charged = fc.constantFrom(0, 0, 20);
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

const which = nat(1);
const isManual = fc.boolean();
const newAsset = of(1, "asset", { start: nat(6), cost, charged, isManual } as never);
const newTax = (asset: fc.Arbitrary<number>) =>
  of(1, "tax", { asset, start: nat(6), cost, charged, isManual } as never);
const wait = (months: fc.Arbitrary<number>) => of(3, "wait", { months } as never);

/** Two assets with a profile in each book, some months later: so most actions meet something that they change. */
const beginning = fc.tuple(
  newAsset.arbitrary,
  newTax(fc.constant(0)).arbitrary,
  newAsset.arbitrary,
  newTax(fc.constant(1)).arbitrary,
  wait(fc.integer({ min: 2, max: 5 })).arbitrary,
);

const actions = fc.oneof(
  wait(nat(3)),
  newAsset,
  newTax(fc.constantFrom(2, 3)),
  of(7, "change", { book, asset: which, cost, from: fc.option(nat(10), { nil: undefined }) } as never),
  of(2, "impair", { book, asset: which, amount: fc.integer({ min: 1, max: 5_000 }), on: nat(200) } as never),
  of(7, "run", { book, months: nat(2) } as never),
  of(2, "dispose", { asset: which, day: nat(200) } as never),
  of(1, "delete", { asset: which } as never),
);

const histories = fc
  .tuple(beginning, fc.array(actions, { minLength: 8, maxLength: 20 }))
  .map(([first, others]): Action[] => [...first, ...others]);

/** An impairment has no cost: its row of the ledger counts. */
type Counting = { effect: Period; countsFrom: Period; cost?: number | undefined };
type Modelled = { opening: number; changes: Counting[]; endedFrom?: Period | undefined; isEnded: boolean };
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
    return {
      ...{ charged: sum("charged"), impaired: sum("impaired"), reversed: sum("reversed") },
      ...{ disposed: sum("disposed"), nbv: sum("nbv") },
    };
  }

  async function create(name: BookName, asset: ModelledAsset, given: Start): Promise<void> {
    const { start, cost, charged, isManual } = given;
    const first = startOf(start);
    const opening = Math.floor((cost * charged) / 100);
    const taken = { openingAccumulated: eurOf(opening), openingOn: `${first}-01` };
    const inServiceDate = `${opening > 0 ? addMonths(first, -2) : first}-01`;
    const fields = { ...sameAsProfile, cost: eurOf(cost), inServiceDate, ...(opening > 0 && taken) };
    const method = isManual ? DepreciationMethod.MANUAL : fields.method;
    await save({ assetId: asset.id, book: books[name], fields: { ...fields, method } });
    const countsFrom = later(first, open[name]);
    asset.profiles[name] = { opening, changes: [{ effect: first, countsFrom, cost }], isEnded: false };
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

  async function impair(name: BookName, asset: ModelledAsset, amount: number, day: number) {
    const profile = asset.profiles[name];
    if (profile === undefined || asset.isGone) return;
    const on = dayOf(day);
    const impairment = { amount: eurOf(amount), on };
    await save({ assetId: asset.id, book: books[name], fields: { impairment } });
    profile.changes.push({ effect: on.slice(0, 7), countsFrom: later(on.slice(0, 7), open[name]) });
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
    const date = dayOf(day);
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
      return create("book", asset, action);
    }
    const asset = "asset" in action ? assets[action.asset] : undefined;
    if (asset === undefined) return;
    if (action.kind === "tax" && !asset.profiles.tax && !asset.isGone) {
      return create("tax", asset, action);
    }
    if (action.kind === "change") return change(action.book, asset, action.cost, action.from);
    if (action.kind === "impair") return impair(action.book, asset, action.amount, action.on);
    if (action.kind === "dispose") return dispose(asset, action.day);
    if (action.kind === "delete") return remove(asset);
  }

  type State = "counts" | "disposed" | "deleted";

  async function recordsOf(name: BookName) {
    const rows = (await stored("ledger", { book: name })) as unknown as Row[];
    const disposals = (await stored("disposals", { book: name })) as unknown as StoredDisposal[];
    return { rows, disposals };
  }

  /** The profiles of a book at the end of a month: what each brought in, and what is left of it. */
  function valuesAt(name: BookName, at: Period, { rows, disposals }: Awaited<ReturnType<typeof recordsOf>>) {
    return assets.flatMap(({ id, profiles }) => {
      const profile = profiles[name];
      if (profile === undefined) return [];
      const disposal = disposals.find(({ assetId }) => assetId === id);
      const isDisposed = disposal !== undefined && disposal.bookedIn <= at;
      const isEnded = profile.isEnded && (profile.endedFrom === undefined || at >= profile.endedFrom);
      const state: State = isDisposed ? "disposed" : isEnded ? "deleted" : "counts";
      // A disposal takes the newest cost out, also one that would count later.
      const brought = isDisposed ? newestOf(profile) : state === "counts" ? grossAt(profile, at) : 0;
      const own = rows.filter(({ assetId, bookedIn }) => assetId === id && bookedIn <= at);
      return [{ id, state, brought, nbv: state === "counts" ? brought - total(own) : 0 }];
    });
  }

  return {
    rowOf,
    reported,
    recordsOf,
    /**
     * By how much the figures of a month move the NBV besides its rows and disposals: additions and changes, less what
     * deleted assets take with them.
     */
    moved(name: BookName, at: Period, records: Awaited<ReturnType<typeof recordsOf>>): number {
      const before = new Map(valuesAt(name, addMonths(at, -1), records).map((value) => [value.id, value]));
      return valuesAt(name, at, records).reduce((sum, { id, state, brought }) => {
        const was = before.get(id);
        return sum + (state === "deleted" ? 0 - (was?.nbv ?? 0) : brought - (was?.brought ?? 0));
      }, 0);
    },
    /** A refusal changes nothing. */
    async apply(action: Action): Promise<void> {
      try {
        await applied(action);
      } catch (error) {
        if (!(error instanceof AppError) || !["invalid", "conflict"].includes(error.kind)) throw error;
      }
    },
    /** The expected report of a month. */
    expected(name: BookName, at: Period, records: Awaited<ReturnType<typeof recordsOf>>) {
      const nbv = valuesAt(name, at, records).reduce((sum, value) => sum + value.nbv, 0);
      const booked = records.rows.filter(({ bookedIn }) => bookedIn === at);
      const of = (...kinds: string[]) => total(booked.filter(({ kind }) => kinds.includes(kind)));
      return {
        charged: of("charge", "disposal"),
        impaired: of("impairment"),
        reversed: 0 - of("reversal"),
        disposed: records.disposals
          .filter(({ bookedIn }) => bookedIn === at)
          .reduce((sum, one) => sum + one.nbvAtDisposal, 0),
        nbv,
      };
    },
  };
}

const dayOf = (day: number) =>
  new Date(Date.parse(`${FIRST}-05`) + day * 86_400_000).toISOString().slice(0, 10);

/** Cost less opening in force: the cost is that of the change with the latest effect among those that count. */
function grossAt({ opening, changes }: Modelled, at: Period): number {
  const counting = changes.filter(({ countsFrom }) => countsFrom <= at);
  const [creation, ...others] = counting;
  if (creation === undefined || creation !== changes[0]) return 0;
  // The creation applies from the start.
  const last = others.reduce(
    (found, one) => (one.cost !== undefined && one.effect >= found.effect ? one : found),
    { ...creation, effect: "" },
  );
  return (last.cost ?? 0) - opening;
}

/** With the newest change, whenever it takes effect. */
const newestOf = ({ opening, changes }: Modelled): number =>
  (changes.findLast(({ cost }) => cost !== undefined)?.cost ?? 0) - opening;

const total = (rows: readonly { amount: number }[]): number =>
  rows.reduce((sum, { amount }) => sum + amount, 0);

/** Each history takes 3 s on a quiet machine, and many times as long on a busy one. */
const BUSY_MS = 900_000;

const months = Array.from({ length: 18 }, (_, index) => periodAt(2026 * 12 + index));

test("each month's report is the sum of its profiles and rows and follows from the month before, in both books; a posted month keeps its figures", {
  timeout: BUSY_MS,
}, async () => {
  expect(months.at(-1)).toBe(LAST);
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const model = await newModel();
      for (const action of history) await model.apply(action);
      for (const name of ["book", "tax"] as const) {
        const records = await model.recordsOf(name);
        let opening = 0;
        for (const at of months) {
          const row = await model.rowOf(name, at);
          expect({ name, at, ...row }).toEqual({ name, at, ...model.expected(name, at, records) });
          const { charged, impaired, reversed, disposed } = row;
          const closing = opening + model.moved(name, at, records) - charged - impaired + reversed - disposed;
          expect({ name, at, closing: row.nbv }).toEqual({ name, at, closing });
          opening = closing;
        }
      }
      for (const [key, figures] of model.reported) {
        const [name, at] = key.split(" ") as [BookName, Period];
        expect({ key, ...(await model.rowOf(name, at)) }).toEqual({ key, ...(figures as object) });
      }
    }),
    { numRuns: 20, endOnFailure: true },
  );
});
