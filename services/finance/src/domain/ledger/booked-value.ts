import type { Book, Profile } from "../profiles/profile.ts";
import { type Period, previousPeriod } from "../schedule/period.ts";
import type { Carry, LedgerKind, LedgerRow } from "./ledger.ts";
import { grossAt } from "./net-book-value.ts";

/**
 * The kinds of amount that the counters of reports add up: rows of the ledger, the values that profiles add (`value`:
 * cost less opening), and the NBV that disposals take out.
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
 * The values that a new profile, or the change of one, adds. They are counted in the months from which its changes
 * count, never in a posted month.
 */
export function valueChanges(before: Valued | undefined, after: Valued): Booked[] {
  const months = new Set([...(before?.changes ?? []), ...after.changes].map(({ countsFrom }) => countsFrom));
  const { book, categoryId } = after;
  return [...months].flatMap((bookedIn): Booked[] => {
    const amount = addedIn(after, bookedIn) - (before === undefined ? 0 : addedIn(before, bookedIn));
    return amount === 0 ? [] : [{ book, bookedIn, categoryId, kind: "value", amount }];
  });
}

/** By the changes that count from one month on. */
const addedIn = (profile: Valued, month: Period): number =>
  grossAt(profile, month) - grossAt(profile, previousPeriod(month));

/**
 * Moves the value of an asset to another category from a month on, also the values that count from later months.
 * `charged` is the sum of the rows that have reduced it before.
 */
export function movedValue(
  profile: Valued,
  to: string | undefined,
  { bookedIn, charged }: { bookedIn: Period; charged: number },
): Booked[] {
  const { book, categoryId } = profile;
  if (categoryId === to) return [];
  const present: Booked = {
    ...{ book, bookedIn, categoryId, kind: "value" },
    amount: grossAt(profile, bookedIn) - charged,
  };
  return [present, ...laterValues(profile, bookedIn)].flatMap((value) =>
    value.amount === 0
      ? []
      : [
          { ...value, amount: -value.amount },
          { ...value, categoryId: to },
        ],
  );
}

/** The values that count from months after `month`. */
const laterValues = (profile: Valued, month: Period): Booked[] =>
  valueChanges(undefined, profile).filter(({ bookedIn }) => bookedIn > month);

/** The values of later months, counted in one month instead, so that it counts `gross` in all. */
export function broughtForward(profile: Valued, bookedIn: Period, gross: number): Booked[] {
  const { book, categoryId } = profile;
  const values = [
    { book, categoryId, bookedIn, kind: "value" as const, amount: gross - grossAt(profile, bookedIn) },
    ...laterValues(profile, bookedIn).map((value) => ({ ...value, amount: -value.amount })),
  ];
  return values.filter(({ amount }) => amount !== 0);
}

/**
 * Removes the values of the profile of a deleted asset. Open months lose them as if the profile had never existed. The
 * values of posted months, less its rows, are removed in the first open month.
 */
export function endedValues(
  profile: Valued & { carry: Pick<Carry, "accumulated"> },
  openFrom: Period | undefined,
): Booked[] {
  const brought = valueChanges(undefined, profile);
  const isOpen = ({ bookedIn }: Booked) => openFrom === undefined || bookedIn >= openFrom;
  const left = brought.filter(isOpen).map((value) => ({ ...value, amount: -value.amount }));
  const posted = brought.filter((value) => !isOpen(value)).reduce((sum, { amount }) => sum + amount, 0);
  const amount = profile.carry.accumulated - posted;
  if (openFrom === undefined || amount === 0) return left;
  const { book, categoryId } = profile;
  return [...left, { book, categoryId, bookedIn: openFrom, kind: "value", amount }];
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
    const charged = profile.carry.accumulated - posted;
    return [
      { profileId: profile.id, categoryId, values: movedValue(profile, categoryId, { bookedIn, charged }) },
    ];
  });
}
