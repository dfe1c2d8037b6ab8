import { type Booked, broughtForward, movedValue } from "../ledger/booked-value.ts";
import { disposalJournal, type JournalEntry, journalOf } from "../ledger/journal.ts";
import { type Carry, emptyCarry, type LedgerRow } from "../ledger/ledger.ts";
import type { Book, Profile } from "../profiles/profile.ts";
import { carryOf } from "../schedule/carry.ts";
import { disposalCharge } from "../schedule/charge.ts";
import type { Line, UnitsByMonth } from "../schedule/line.ts";
import { impairmentsOf, linesUntil } from "../schedule/lines.ts";
import { type CalendarDate, earlier, later, monthIndex, type Period, periodOf } from "../schedule/period.ts";
import { type Timeline, timelineOf } from "../schedule/timeline.ts";

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
  profile?: (Profile & { endedAt?: Date | undefined }) | undefined;
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
  /** New rows: reversals, impairments that were not booked yet, and one of kind disposal for each month that lacks a charge. */
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
  /** The values that reports count besides the rows: the NBV that is taken out. */
  values: Booked[];
};

/**
 * The accounts of a disposal in one book. The asset is charged up to the date by its convention. Open months before it
 * that lack a charge get their own, as a run would give (cut-off). Charges of later months are reversed row by row. One
 * row corrects the month or year of the disposal, up or down. All rows except the charges of earlier months are
 * reported in `bookedIn`, so the figures of a posted month stay.
 */
export function accountDisposal(disposal: DisposalToAccount): DisposalAccount {
  const { id, assetId, book, date, proceeds, categoryId, profile, rows, openFrom } = disposal;
  const period = periodOf(date);
  const bookedIn = later(period, openFrom);
  const common = { profileId: profile?.id ?? "", assetId, book, bookedIn, categoryId, causeId: id };
  const added: LedgerRow[] = [];
  if (profile !== undefined) {
    const { missed, impairments, correction } = chargesUntil(profile, disposal);
    for (const { period: lacking, amount } of missed) {
      if (amount === 0) continue;
      added.push({
        ...common,
        bookedIn: later(lacking, openFrom),
        kind: "disposal",
        period: lacking,
        amount,
      });
    }
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
    ...disposalJournal({ categoryId, bookedIn, accumulated, nbv: nbvAtDisposal, proceeds }),
  ];
  const values = takenOut(disposal, { bookedIn, added, nbv: nbvAtDisposal });
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
 * The NBV goes out in the month of the disposal, in the category of that day. A value that counts from later months comes
 * in there, too, and not in those. Without a profile, reports have not counted the asset: it comes in and goes out.
 */
function takenOut(
  { book, categoryId, profile, rows }: DisposalToAccount,
  { bookedIn, added, nbv }: { bookedIn: Period; added: readonly LedgerRow[]; nbv: number },
): Booked[] {
  const common = { book, bookedIn, categoryId };
  const out: Booked = { ...common, kind: "taken_out", amount: nbv };
  if (profile === undefined) return [{ ...common, kind: "value", amount: nbv }, out];
  // The first row in the category of that day takes the value along.
  const movedIn = added.reduce((month, row) => earlier(month, row.bookedIn), bookedIn);
  if (profile.endedAt !== undefined) {
    // The deletion has taken its value out.
    return [{ ...common, bookedIn: movedIn, kind: "value", amount: nbv + total(added) }, out];
  }
  const moved = movedValue(profile, categoryId, { bookedIn: movedIn, charged: total(rows) });
  return [
    ...moved,
    ...broughtForward({ ...profile, categoryId }, bookedIn, nbv + total(rows) + total(added)),
    out,
  ];
}

type UnbookedImpairment = Pick<LedgerRow, "kind" | "period" | "amount" | "causeId">;

/** The missing charges up to the date, and the correction of the month or year of the disposal. */
function chargesUntil(
  profile: Profile,
  { date, rows, units }: DisposalToAccount,
): { missed: Line[]; impairments: UnbookedImpairment[]; correction: number } {
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
    missed: charges,
    impairments: impairments.map((line) => ({
      ...{ kind: "impairment", period: line.period, amount: line.amount, causeId: line.causeId ?? "" },
    })),
    correction: last - total(posted),
  };
}

/** Without impairments of later days. */
function untilDay(timeline: Timeline, date: CalendarDate): Timeline {
  return { ...timeline, impairments: timeline.impairments.filter(({ on }) => on <= date) };
}

const total = (figures: readonly { amount: number }[]): number =>
  figures.reduce((sum, { amount }) => sum + amount, 0);
