import type { ClientSession } from "@asset-register/mongo";
import type { Context } from "../../context.ts";
import { type Booked, endedValues, valueChanges } from "../../domain/ledger/booked-value.ts";
import type { Book } from "../../domain/profiles/profile.ts";
import type { Period } from "../../domain/schedule/period.ts";
import type { CarriedProfile } from "../../store/profiles/profiles.ts";

/** The first month of each book that is not posted. */
export type OpenMonths = Partial<Record<Book, Period>>;

type ValueChange = {
  before?: CarriedProfile | undefined;
  after: CarriedProfile;
  /** The disposal has taken its value out already. */
  isAccounted?: boolean | undefined;
};

/**
 * Raises the counters of reports by what new and changed profiles bring in, and what ended ones take with them, in the
 * transaction that saves them.
 */
export async function countValues(
  { stores }: Context,
  session: ClientSession,
  changes: readonly ValueChange[],
  openMonths: OpenMonths,
): Promise<void> {
  const first = changes[0];
  if (first === undefined) return;
  const booked = changes.flatMap(({ before, after, isAccounted }): Booked[] => {
    const isEnded = after.endedAt !== undefined && before?.endedAt === undefined;
    if (!isEnded) return valueChanges(before, after);
    return isAccounted ? [] : endedValues(after, openMonths[after.book]);
  });
  await stores.bookedAmounts.add(first.after.workspaceId, booked, session);
}
