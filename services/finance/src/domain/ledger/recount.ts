import type { Disposal } from "../disposals/disposal.ts";
import {
  type Book,
  type Profile,
  type ProfileChange,
  type ProfileInputs,
  withChange,
} from "../profiles/profile.ts";
import { earlier, later, nextPeriod, type Period, periodOf } from "../schedule/period.ts";
import { type Booked, broughtForward, endedValues, valueChanges } from "./booked-value.ts";
import type { LedgerRow } from "./ledger.ts";
import { currentNbv } from "./net-book-value.ts";

/** A change as the release before stored it: with the month of its recording. */
type OldChange = Omit<ProfileChange, "countsFrom"> & { recordedIn: Period };

export type OldProfile = Omit<Profile, "changes"> & {
  changes: OldChange[];
  carry: { accumulated: number } & Record<string, unknown>;
  endedAt?: Date | undefined;
};

/** A month of a book that was posted, and when. */
export type PostedMonth = { book: Book; period: Period; at: Date };

type Recounted = {
  profile: OldProfile;
  rows: readonly LedgerRow[];
  /** The accounted one of the book. */
  disposal: Pick<Disposal, "bookedIn" | "nbvAtDisposal"> | undefined;
  /** The month in which the asset was deleted. */
  endedIn: Period | undefined;
  posted: readonly PostedMonth[];
};

/** The changes with the months from which they count, and what the counters of reports lack for that. */
export function recount(input: Recounted): { changes: ProfileChange[]; booked: Booked[] } {
  const { profile, rows, disposal, endedIn, posted } = input;
  const openAt = (book: Book, at: Date): Period | undefined => {
    const months = posted.flatMap((one) => (one.book === book && one.at <= at ? [one.period] : []));
    const last = months.sort().at(-1);
    return last === undefined ? undefined : nextPeriod(last);
  };
  const { book, endedAt } = profile;
  const changes = countedChanges(profile, rows, (at) => openAt(book, at));
  const after = { ...profile, changes };

  const was = oldValues(profile);
  const booked = [...negative(was), ...valueChanges(undefined, after)];
  if (disposal?.bookedIn !== undefined) {
    const { bookedIn, nbvAtDisposal = 0 } = disposal;
    const out = (values: readonly Booked[]) =>
      values.map((value): Booked => ({ ...value, kind: "taken_out" }));
    const common = { book, bookedIn, categoryId: profile.categoryId, kind: "taken_out" as const };
    const wasLater = was.filter((value) => value.bookedIn > bookedIn);
    booked.push(
      ...negative([{ ...common, amount: nbvAtDisposal - total(wasLater) }, ...out(wasLater)]),
      ...[{ ...common, amount: nbvAtDisposal }],
      ...broughtForward(after, bookedIn, nbvAtDisposal + total(rows)),
    );
  }
  if (endedAt !== undefined && endedIn !== undefined) {
    const { categoryId, carry } = profile;
    const amount = currentNbv(profile, { accumulated: carry.accumulated });
    const wasBookedIn = later(endedIn, openAt("book", endedAt));
    // It was added once with a minus.
    booked.push({ book, categoryId, bookedIn: wasBookedIn, kind: "value", amount });
    if (disposal === undefined) booked.push(...endedValues(after, openAt(book, endedAt)));
  }
  return { changes, booked: merged(booked) };
}

function countedChanges(
  { changes }: OldProfile,
  rows: readonly LedgerRow[],
  openAt: (at: Date) => Period | undefined,
): ProfileChange[] {
  const counted = changes.map(({ recordedIn: _, ...change }) => ({
    ...change,
    countsFrom: later(periodOf(change.effectiveOn), openAt(change.at)),
  }));
  const [creation, ...others] = counted;
  if (creation === undefined) return [];
  const from = rows.reduce((month, { bookedIn }) => earlier(month, bookedIn), creation.countsFrom);
  return [
    { ...creation, countsFrom: from },
    ...others.map((change) => ({ ...change, countsFrom: later(change.countsFrom, from) })),
  ];
}

/** The values that the previous release has counted for a profile: each change in the month of its recording. */
function oldValues({ book, categoryId, changes }: OldProfile): Booked[] {
  const grossUntil = (month: Period | undefined): number => {
    const recorded = changes.filter(({ recordedIn }) => month !== undefined && recordedIn <= month);
    const none = { cost: 0, openingAccumulated: 0 } as ProfileInputs;
    const { cost, openingAccumulated } = recorded.reduce<ProfileInputs>(withChange, none);
    return cost - openingAccumulated;
  };
  const months = [...new Set(changes.map(({ recordedIn }) => recordedIn))].sort();
  return months.flatMap((bookedIn, index): Booked[] => {
    const amount = grossUntil(bookedIn) - grossUntil(months[index - 1]);
    return amount === 0 ? [] : [{ book, bookedIn, categoryId, kind: "value", amount }];
  });
}

/** One figure for each month and kind, without those that are 0. */
function merged(booked: readonly Booked[]): Booked[] {
  const groups = Map.groupBy(booked, ({ bookedIn, kind }) => `${bookedIn} ${kind}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    const amount = total(group);
    return first === undefined || amount === 0 ? [] : [{ ...first, amount }];
  });
}

const negative = (booked: readonly Booked[]): Booked[] =>
  booked.map((one) => ({ ...one, amount: -one.amount }));

const total = (figures: readonly { amount: number }[]): number =>
  figures.reduce((sum, { amount }) => sum + amount, 0);
