import { type Booked, movedValue, valueChanges } from "./booked-value.ts";
import { carryOf } from "./carry.ts";
import { disposalCharge } from "./charge.ts";
import { disposalJournal, type JournalEntry, journalOf } from "./journal.ts";
import { type Carry, emptyCarry, type LedgerRow } from "./ledger.ts";
import type { UnitsByMonth } from "./line.ts";
import { impairmentsOf, linesUntil } from "./lines.ts";
import { grossAt } from "./net-book-value.ts";
import { type CalendarDate, later, monthIndex, type Period, periodOf } from "./period.ts";
import type { Book, Profile } from "./profile.ts";
import { type Timeline, timelineOf } from "./timeline.ts";

export type DisposalToAccount = {
  /** "dsp_...": the cause of the rows. */
  id: string;
  assetId: string;
  book: Book;
  date: CalendarDate;
  /** Minor units; 0 without proceeds. */
  proceeds: number;
  /** Of the asset, as of the disposal. */
  categoryId?: string | undefined;
  /** Absent: the asset has none in this book, and its NBV is `cost`. */
  profile?: Profile | undefined;
  /** The asset's own cost. */
  cost: number;
  /** All rows of the profile. */
  rows: readonly LedgerRow[];
  /** The month after the last posted one of the book. */
  openFrom?: Period | undefined;
  /** Of units of production: units until the end of the months of `unitMonths` up to the disposal. */
  units?: UnitsByMonth | undefined;
};

export type DisposalAccount = {
  /** New rows: reversals, impairments that were not booked yet, and at most one of kind disposal. */
  rows: LedgerRow[];
  nbvAtDisposal: number;
  /** With the opening and all rows. */
  accumulated: number;
  /** Proceeds less nbvAtDisposal. */
  gainLoss: number;
  bookedIn: Period;
  /** Of the rows and of the disposal. */
  journal: JournalEntry[];
  /** Of the profile, after the rows. */
  carry: Carry;
  /** What reports count beside the rows: the NBV that goes out. */
  values: Booked[];
};

/**
 * The accounts of a disposal in one book. The asset is charged up to the date by its convention. Charges of later
 * months are reversed row by row. What the month or year of the disposal then lacks or has too much is one row. All is
 * reported in `bookedIn`, so the figures of a posted month stay.
 */
export function accountDisposal(disposal: DisposalToAccount): DisposalAccount {
  const { id, assetId, book, date, proceeds, categoryId, profile, rows, openFrom } = disposal;
  const period = periodOf(date);
  const bookedIn = later(period, openFrom);
  const common = { profileId: profile?.id ?? "", assetId, book, bookedIn, categoryId, causeId: id };
  const added: LedgerRow[] = [];
  if (profile !== undefined) {
    const { impairments, correction } = chargesUntil(profile, disposal);
    for (const row of rows) {
      if (row.kind !== "charge" || row.period <= period || row.amount === 0) continue;
      added.push({ ...common, kind: "reversal", period: row.period, amount: -row.amount });
    }
    added.push(...impairments.map((row): LedgerRow => ({ ...common, ...row })));
    if (correction !== 0) added.push({ ...common, kind: "disposal", period, amount: correction });
  }
  const carry = profile === undefined ? emptyCarry : carryOf(profile, [...rows, ...added]);
  const accumulated = (profile?.openingAccumulated ?? 0) + carry.accumulated;
  const nbvAtDisposal = (profile?.cost ?? disposal.cost) - accumulated;
  const journal = [
    ...journalOf(added),
    ...disposalJournal({ categoryId, accumulated, nbv: nbvAtDisposal, proceeds }),
  ];
  const values = takenOut(disposal, bookedIn, nbvAtDisposal);
  return {
    values,
    rows: added,
    nbvAtDisposal,
    accumulated,
    gainLoss: proceeds - nbvAtDisposal,
    bookedIn,
    journal,
    carry,
  };
}

/**
 * The NBV goes out in the month of the disposal, in the category of that day. A cost that was recorded for a later month
 * goes out there. Without a profile, reports have not counted the asset: it comes in and goes out.
 */
function takenOut(
  { book, categoryId, profile, rows }: DisposalToAccount,
  bookedIn: Period,
  nbv: number,
): Booked[] {
  const common = { book, bookedIn, categoryId };
  if (profile === undefined) {
    return [
      { ...common, kind: "value", amount: nbv },
      { ...common, kind: "taken_out", amount: nbv },
    ];
  }
  const value = grossAt(profile, bookedIn) - total(rows);
  const after = valueChanges(undefined, profile).filter((change) => change.bookedIn > bookedIn);
  return [
    ...movedValue(profile, categoryId, { bookedIn, value }),
    { ...common, kind: "taken_out", amount: nbv - total(after) },
    ...after.map((change): Booked => ({ ...change, kind: "taken_out" })),
  ];
}

type UnbookedImpairment = Pick<LedgerRow, "kind" | "period" | "amount" | "causeId">;

/** What the ledger lacks up to the date, or has too much in the month or year of the disposal. */
function chargesUntil(
  profile: Profile,
  { date, rows, units }: DisposalToAccount,
): { impairments: UnbookedImpairment[]; correction: number } {
  const period = periodOf(date);
  const month = monthIndex(period);
  const timeline = untilDay(timelineOf(profile), date);
  const isKept = (row: LedgerRow) =>
    row.period < period || (row.period === period && row.kind === "impairment");
  const posted = rows.filter((row) => row.period === period && row.kind === "charge");
  const missed = linesUntil(timeline, carryOf(profile, rows.filter(isKept)), month - 1, units);
  const now = impairmentsOf(timeline, missed.carry, month);
  const charges = missed.lines.filter(({ kind }) => kind === "charge");
  const last = disposalCharge(timeline, now.carry, date, units);
  const impairments = [...missed.lines.filter(({ kind }) => kind === "impairment"), ...now.lines];
  return {
    impairments: impairments.map((line) => ({
      ...{ kind: "impairment", period: line.period, amount: line.amount, causeId: line.causeId ?? "" },
    })),
    correction: total(charges) + last - total(posted),
  };
}

/** Without impairments of later days. */
function untilDay(timeline: Timeline, date: CalendarDate): Timeline {
  return { ...timeline, impairments: timeline.impairments.filter(({ on }) => on <= date) };
}

const total = (figures: readonly { amount: number }[]): number =>
  figures.reduce((sum, { amount }) => sum + amount, 0);
