import { type ClientSession, defineRecords, type Mongo } from "@asset-register/mongo";
import type { Booked, BookedSum } from "../../domain/ledger/booked-value.ts";
import type { Book } from "../../domain/profiles/profile.ts";
import type { Period } from "../../domain/schedule/period.ts";

/** A sum of ledger rows, of values or of what disposals took out, from which reports are made. */
export type BookedAmount = Booked & { id: string; workspaceId: string };

export const bookedAmountRecords = defineRecords<BookedAmount>({
  collection: "booked_amounts",
  name: "booked amount",
  fields: { book: String, bookedIn: String, categoryId: String, kind: String, amount: Number },
  indexes: [{ name: "months", key: { workspaceId: 1, book: 1, bookedIn: 1 } }],
});

/**
 * Counters by month, category and kind: of the ledger, and of the values that come in and go out. The transaction that
 * changes these raises them.
 */
export function createBookedAmountStore(mongo: Mongo) {
  const { collection } = bookedAmountRecords.store(mongo);
  return {
    async add(workspaceId: string, rows: readonly Booked[], session: ClientSession): Promise<void> {
      if (rows.length === 0) return;
      const counters = [...Map.groupBy(rows, (row) => idOf(workspaceId, row))].map(([_id, group]) => ({
        _id,
        key: keyOf(group),
        amount: group.reduce((sum, { amount }) => sum + amount, 0),
      }));
      // In order of id, so that two transactions meet at the first row that both need.
      const raises = counters
        .toSorted((one, other) => (one._id < other._id ? -1 : 1))
        .map(({ _id, key, amount }) => ({
          updateOne: {
            filter: { workspaceId, _id },
            update: { $inc: { amount }, $setOnInsert: key },
            upsert: true,
          },
        }));
      await collection.bulkWrite(raises, { session });
    },

    /** The sums by category and kind, of the months before `from` and of those from `from` to `to`. */
    async sums(
      workspaceId: string,
      book: Book,
      { from, to }: { from: Period; to: Period },
    ): Promise<BookedSum[]> {
      const isBefore = { $lt: ["$bookedIn", from] };
      const groups = await collection
        .aggregate<{ _id: BookedSum; amount: number }>([
          { $match: { workspaceId, book, bookedIn: { $lte: to } } },
          {
            $group: {
              _id: { categoryId: "$categoryId", kind: "$kind", isBefore },
              amount: { $sum: "$amount" },
            },
          },
        ])
        .toArray();
      return groups.map(({ _id, amount }) => ({ ..._id, amount }));
    },
  };
}

const idOf = (workspaceId: string, { book, bookedIn, categoryId, kind }: Booked): string =>
  `${workspaceId}:${book}:${bookedIn}:${categoryId ?? ""}:${kind}`;

function keyOf([first]: readonly Booked[]) {
  if (first === undefined) throw new Error("a group has a row");
  const { book, bookedIn, categoryId, kind } = first;
  return { book, bookedIn, kind, ...(categoryId !== undefined && { categoryId }) };
}
