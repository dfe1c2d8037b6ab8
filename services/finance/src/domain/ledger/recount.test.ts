import fc from "fast-check";
import { expect, test } from "vitest";
import { profileWith } from "../../../test/schedules.ts";
import type { Book } from "../profiles/profile.ts";
import { addMonths, earlier, later, nextPeriod, type Period } from "../schedule/period.ts";
import type { Booked } from "./booked-value.ts";
import type { LedgerRow } from "./ledger.ts";
import { nbvAt } from "./net-book-value.ts";
import { type OldProfile, type PostedMonth, recount } from "./recount.ts";

/*
 * A profile of book `tax` in the release before: its counters are raised here as that release did, and then by what
 * recount() says that they lack.
 */

const FIRST = "2026-01";
const COST = 100_000;

type Step =
  | { kind: "wait"; months: number }
  | { kind: "post"; book: Book; months: number; charge: number }
  | { kind: "change"; cost: number; months: number }
  | { kind: "dispose"; monthsAgo: number; charge: number }
  | { kind: "delete" };

const nat = (max: number) => fc.nat({ max });
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("wait" as const), months: nat(3) }) },
    {
      weight: 6,
      arbitrary: fc.record({
        ...{ kind: fc.constant("post" as const), book: fc.constantFrom<Book>("tax", "tax", "book") },
        ...{ months: nat(2), charge: nat(3_000) },
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        ...{ kind: fc.constant("change" as const), cost: fc.integer({ min: 60_000, max: 200_000 }) },
        months: nat(4),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        ...{ kind: fc.constant("dispose" as const), monthsAgo: nat(4), charge: nat(3_000) },
      }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: "delete" as const }) },
  ),
  { minLength: 3, maxLength: 14 },
);

/** The records that the previous release has stored after these steps. */
function stored(history: readonly Step[]) {
  const { changes: made, ...own } = profileWith({ cost: COST, inServiceDate: `${FIRST}-01` });
  const [creation] = made;
  if (creation === undefined) throw new Error("a profile has its creation");
  let month: Period = "2026-03";
  let time = 0;
  const at = () => new Date(Date.UTC(2026, 0, 1) + time++);
  const open: Partial<Record<Book, Period>> = {};
  const posted: PostedMonth[] = [];
  const rows: LedgerRow[] = [];
  const counters: Booked[] = [];
  const { countsFrom: _, ...rest } = creation;
  const changes: OldProfile["changes"] = [
    { ...rest, at: at(), recordedIn: later(earlier(month, FIRST), open.tax) },
  ];
  let endedAt: Date | undefined;
  let endedIn: Period | undefined;
  let disposal: { bookedIn: Period; nbvAtDisposal: number } | undefined;

  const accumulated = () => rows.reduce((sum, { amount }) => sum + amount, 0);
  const costRecorded = (until: Period) =>
    changes.reduce((cost, { recordedIn, fields }) => (recordedIn <= until ? (fields.cost ?? cost) : cost), 0);
  const newest = () => changes.findLast(({ fields }) => fields.cost !== undefined)?.fields.cost ?? 0;
  const count = (kind: Booked["kind"], bookedIn: Period, amount: number) =>
    counters.push({ book: "tax", categoryId: undefined, kind, bookedIn, amount });
  const charge = (bookedIn: Period, amount: number, kind: LedgerRow["kind"], causeId: string) =>
    rows.push({
      ...{ profileId: own.id, assetId: own.assetId, book: "tax", kind, period: bookedIn, bookedIn },
      ...{ amount, causeId },
    });
  /** The figures by month of recording, as differences. */
  const recorded = (): [Period, number][] =>
    [...new Set(changes.map(({ recordedIn }) => recordedIn))]
      .sort()
      .map((one) => [one, costRecorded(one) - costRecorded(addMonths(one, -1))]);
  const recount = (change: () => void) => {
    for (const [one, amount] of recorded()) count("value", one, -amount);
    change();
    for (const [one, amount] of recorded()) count("value", one, amount);
  };
  for (const [one, amount] of recorded()) count("value", one, amount);

  for (const step of history) {
    if (step.kind === "wait") month = addMonths(month, step.months);
    if (step.kind === "post") {
      const period = addMonths(open[step.book] ?? FIRST, step.months);
      if (period > month) continue;
      posted.push({ book: step.book, period, at: at() });
      open[step.book] = nextPeriod(period);
      if (step.book === "tax" && endedAt === undefined && disposal === undefined)
        charge(period, step.charge, "charge", `run_${period}`);
    }
    if (endedAt !== undefined) continue;
    if (step.kind === "change" && disposal === undefined) {
      const effective = addMonths(rows.length > 0 ? (open.tax ?? FIRST) : FIRST, step.months);
      const recordedIn = later(rows.length > 0 ? month : earlier(month, changes[0]?.recordedIn), open.tax);
      const change = { id: `chg_${time}`, fields: { cost: step.cost }, effectiveOn: `${effective}-01` };
      recount(() => changes.push({ ...change, by: creation.by, at: at(), recordedIn }));
    }
    if (step.kind === "dispose" && disposal === undefined) {
      const bookedIn = later(addMonths(month, -step.monthsAgo), open.tax);
      if (bookedIn < FIRST) continue;
      charge(bookedIn, step.charge, "disposal", "dsp_1");
      disposal = { bookedIn, nbvAtDisposal: newest() - accumulated() };
      const after = recorded().filter(([one]) => one > bookedIn);
      const afterwards = after.reduce((sum, [, amount]) => sum + amount, 0);
      count("taken_out", bookedIn, disposal.nbvAtDisposal - afterwards);
      for (const [one, amount] of after) count("taken_out", one, amount);
    }
    if (step.kind === "delete") {
      endedAt = at();
      endedIn = month;
      // By the open month of the other book.
      count("value", later(month, open.book), accumulated() - newest());
    }
  }
  const carry = { accumulated: accumulated() };
  const profile: OldProfile = { ...own, book: "tax", cost: newest(), changes, carry, endedAt };
  return { input: { profile, rows, disposal, endedIn, posted }, counters };
}

test("the counters of the release before and what they lack are the NBV of the profile in every month", () => {
  fc.assert(
    fc.property(steps, (history) => {
      const { input, counters } = stored(history);
      const { profile, rows, disposal, posted } = input;
      const { changes, booked } = recount(input);
      const { endedAt } = profile;
      const postedBefore = posted.findLast(
        ({ book, at }) => book === "tax" && endedAt !== undefined && at <= endedAt,
      );
      const openAtEnd = postedBefore && nextPeriod(postedBefore.period);
      const isGone = (month: Period) =>
        endedAt !== undefined && disposal === undefined && (openAtEnd === undefined || month >= openAtEnd);
      const all = [
        ...[...counters, ...booked].map(({ kind, bookedIn, amount }) => ({
          ...{ bookedIn, amount: kind === "value" ? amount : -amount },
        })),
        ...rows.map(({ bookedIn, amount }) => ({ bookedIn, amount: -amount })),
      ];
      for (let month = "2025-10"; month < "2031-01"; month = addMonths(month, 1)) {
        const counted = all.reduce((sum, one) => sum + (one.bookedIn <= month ? one.amount : 0), 0);
        const nbv = isGone(month) ? 0 : nbvAt({ ...profile, changes }, rows, month, disposal?.bookedIn);
        expect([month, counted]).toEqual([month, nbv]);
      }
    }),
    { numRuns: 500 },
  );
});
