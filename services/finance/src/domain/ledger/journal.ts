import type { Period } from "../schedule/period.ts";

export type Account =
  | "depreciation_expense"
  | "accumulated_depreciation"
  | "impairment_loss"
  | "asset_cost"
  | "proceeds_clearing"
  | "gain_on_disposal"
  | "loss_on_disposal";

/** One entry. The amount is positive, in minor units. */
export type JournalEntry = {
  categoryId?: string | undefined;
  debitAccount: Account;
  creditAccount: Account;
  amount: number;
  /** Of a disposal: the month in which it is reported. */
  bookedIn?: Period | undefined;
};

type Posted = {
  kind: "charge" | "impairment" | "disposal" | "reversal";
  amount: number;
  categoryId?: string | undefined;
  bookedIn?: Period | undefined;
};

/** Entries of charges, impairments, disposal rows and reversals. A negative row is booked the other way round. */
export function journalOf(rows: Iterable<Posted>): JournalEntry[] {
  return mergeJournal([...rows].flatMap((row) => entry(row)));
}

function entry({ kind, amount, ...where }: Posted): JournalEntry[] {
  const expense = kind === "impairment" ? "impairment_loss" : "depreciation_expense";
  return amount >= 0
    ? booked(where, expense, "accumulated_depreciation", amount)
    : booked(where, "accumulated_depreciation", expense, -amount);
}

/** Entries that take a disposed asset out of the accounts. */
export function disposalJournal(disposed: {
  categoryId?: string | undefined;
  bookedIn: Period;
  /** With the opening and all rows. */
  accumulated: number;
  nbv: number;
  proceeds: number;
}): JournalEntry[] {
  const { accumulated, nbv, proceeds, ...where } = disposed;
  return [
    ...booked(where, "accumulated_depreciation", "asset_cost", accumulated),
    ...booked(where, "proceeds_clearing", "asset_cost", Math.min(nbv, proceeds)),
    ...booked(where, "loss_on_disposal", "asset_cost", Math.max(0, nbv - proceeds)),
    ...booked(where, "proceeds_clearing", "gain_on_disposal", Math.max(0, proceeds - nbv)),
  ];
}

/** One entry for each month, category and pair of accounts, in order of first appearance. */
export function mergeJournal(entries: Iterable<JournalEntry>): JournalEntry[] {
  const merged = new Map<string, JournalEntry>();
  for (const one of entries) {
    const key = [one.bookedIn, one.categoryId, one.debitAccount, one.creditAccount].join(" ");
    const before = merged.get(key);
    merged.set(key, before === undefined ? one : { ...one, amount: before.amount + one.amount });
  }
  return [...merged.values()];
}

function booked(
  { categoryId, bookedIn }: Pick<JournalEntry, "categoryId" | "bookedIn">,
  debitAccount: Account,
  creditAccount: Account,
  amount: number,
): JournalEntry[] {
  return amount === 0 ? [] : [{ categoryId, debitAccount, creditAccount, amount, bookedIn }];
}
