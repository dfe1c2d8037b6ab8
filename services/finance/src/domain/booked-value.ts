import type { Carry, LedgerKind, LedgerRow } from "./ledger.ts";
import { currentNbv, grossAt } from "./net-book-value.ts";
import { type Period, previousPeriod } from "./period.ts";
import type { Book, Profile } from "./profile.ts";

/**
 * What the counters of reports add up: rows of the ledger, what profiles bring in (`value`: cost less opening), and the
 * NBV that disposals take out.
 */
export type BookedKind = LedgerKind | "value" | "taken_out";

export type Booked = {
  book: Book;
  bookedIn: Period;
  categoryId?: string | undefined;
  kind: BookedKind;
  amount: number;
};

/** A sum of a category: of the months before a report, or of its months. */
export type BookedSum = Pick<Booked, "categoryId" | "kind" | "amount"> & { isBefore: boolean };

type Valued = Pick<Profile, "book" | "categoryId" | "changes">;

/**
 * What a new profile, or the change of one, brings in: counted in the months in which its changes were recorded, never
 * in a posted one.
 */
export function valueChanges(before: Valued | undefined, after: Valued): Booked[] {
  const months = new Set([...(before?.changes ?? []), ...after.changes].map(({ recordedIn }) => recordedIn));
  const { book, categoryId } = after;
  return [...months].flatMap((bookedIn): Booked[] => {
    const amount = addedIn(after, bookedIn) - (before === undefined ? 0 : addedIn(before, bookedIn));
    return amount === 0 ? [] : [{ book, bookedIn, categoryId, kind: "value", amount }];
  });
}

/** By the changes that were recorded in one month. */
const addedIn = (profile: Valued, month: Period): number =>
  grossAt(profile, month) - grossAt(profile, previousPeriod(month));

/** The value of an asset, counted in another category from a month on. */
export function movedValue(
  { book, categoryId }: Valued,
  to: string | undefined,
  { bookedIn, value }: { bookedIn: Period; value: number },
): Booked[] {
  if (categoryId === to || value === 0) return [];
  const moved = { book, bookedIn, kind: "value" as const };
  return [
    { ...moved, categoryId, amount: -value },
    { ...moved, categoryId: to, amount: value },
  ];
}

/**
 * The profiles whose asset has another category than the one in which reports count their value, and how it moves with
 * the rows that are posted. The carries contain the rows.
 */
export function movedProfiles(
  profiles: readonly (Profile & { carry: Carry })[],
  rows: readonly LedgerRow[],
): { profileId: string; categoryId?: string | undefined; values: Booked[] }[] {
  const byProfile = Map.groupBy(rows, ({ profileId }) => profileId);
  return profiles.flatMap((profile) => {
    const own = byProfile.get(profile.id) ?? [];
    const [row] = own;
    if (row === undefined || row.categoryId === profile.categoryId) return [];
    const { categoryId, bookedIn } = row;
    const posted = own.reduce((sum, { amount }) => sum + amount, 0);
    const value = currentNbv(profile, profile.carry) + posted;
    return [
      { profileId: profile.id, categoryId, values: movedValue(profile, categoryId, { bookedIn, value }) },
    ];
  });
}
