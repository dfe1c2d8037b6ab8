import type { ClientSession } from "@asset-register/mongo";
import type { Context } from "../context.ts";
import { type Booked, valueChanges } from "../domain/booked-value.ts";
import { currentNbv } from "../domain/net-book-value.ts";
import { later, type Period } from "../domain/period.ts";
import type { CarriedProfile } from "../store/profiles.ts";

/**
 * Raises the counters of reports by what new and changed profiles bring in, and what ended ones take with them, in the
 * transaction that saves them. `month` is the present one, `openFrom` the first that is not posted.
 */
export async function countValues(
  { stores }: Pick<Context, "stores">,
  session: ClientSession,
  changes: readonly { before?: CarriedProfile | undefined; after: CarriedProfile }[],
  { month, openFrom }: { month: Period; openFrom?: Period | undefined },
): Promise<void> {
  const first = changes[0];
  if (first === undefined) return;
  const booked = changes.flatMap(({ before, after }): Booked[] => {
    const isEnded = after.endedAt !== undefined && before?.endedAt === undefined;
    if (!isEnded) return valueChanges(before, after);
    const { book, categoryId } = after;
    const amount = -currentNbv(after, after.carry);
    return [{ book, categoryId, bookedIn: later(month, openFrom), kind: "value", amount }];
  });
  await stores.bookedAmounts.add(first.after.workspaceId, booked, session);
}
