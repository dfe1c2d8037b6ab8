import { type ClientSession, defineWorkRecords, type Mongo, type WorkDocument } from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import type { Disposal } from "../../domain/disposals/disposal.ts";
import type { Book } from "../../domain/profiles/profile.ts";
import type { Period } from "../../domain/schedule/period.ts";

export type DisposalDocument = WorkDocument<Disposal>;

export const disposalRecords = defineWorkRecords<Disposal>({
  collection: "disposals",
  name: "disposal",
  fields: {
    assetId: String,
    book: String,
    date: String,
    method: String,
    proceeds: Number,
    nbvAtDisposal: Number,
    accumulated: Number,
    gainLoss: Number,
    bookedIn: String,
    journal: { type: [Object], default: undefined },
    createdAt: Date,
  },
  indexes: [
    { name: "asset", key: { workspaceId: 1, assetId: 1, book: 1 }, unique: true },
    { name: "list", key: { workspaceId: 1, _id: 1 } },
    { name: "booked", key: { workspaceId: 1, bookedIn: 1, book: 1, _id: 1 } },
  ],
});

/** Amounts are minor units. */
export type DisposalTotals = { count: number; proceeds: number; gainLoss: number };

export type DisposalFilter = {
  book?: Book | undefined;
  from?: Period | undefined;
  to?: Period | undefined;
};

export function createDisposalStore(mongo: Mongo) {
  const { collection, find, findOne, insertMany, list, toRecord } = disposalRecords.store(mongo);
  return {
    insertMany,
    toRecord,

    get: (workspaceId: string, assetId: string, book: Book): Promise<Disposal | undefined> =>
      findOne(workspaceId, { assetId, book }),

    /** Those of some assets, in both books. */
    ofAssets: (
      workspaceId: string,
      assetIds: readonly string[],
      session?: ClientSession,
    ): Promise<Disposal[]> => find(workspaceId, { assetId: { $in: [...assetIds] } }, { session }),

    /** The ones of some assets whose disposal is accounted in a book. */
    async accountedOf(workspaceId: string, book: Book, assetIds: readonly string[]): Promise<Set<string>> {
      if (assetIds.length === 0) return new Set();
      const rows = await collection
        .find({ workspaceId, book, assetId: { $in: [...assetIds] }, status: "accounted" as const })
        .project<{ assetId: string }>({ assetId: 1 })
        .toArray();
      return new Set(rows.map(({ assetId }) => assetId));
    },

    /** The accounted ones that are booked in some months, both included, of a book. */
    async totals(
      workspaceId: string,
      book: Book,
      { from, to }: { from: Period; to: Period },
    ): Promise<DisposalTotals> {
      const [found] = await collection
        .aggregate<DisposalTotals>([
          { $match: { workspaceId, book, bookedIn: { $gte: from, $lte: to } } },
          {
            $group: {
              _id: null,
              count: { $sum: 1 },
              proceeds: { $sum: "$proceeds" },
              gainLoss: { $sum: "$gainLoss" },
            },
          },
          { $project: { _id: 0 } },
        ])
        .toArray();
      return found ?? { count: 0, proceeds: 0, gainLoss: 0 };
    },

    list: (
      workspaceId: string,
      { book, from, to }: DisposalFilter,
      page: PageQuery,
    ): Promise<Page<Disposal>> => {
      const months = { ...(from !== undefined && { $gte: from }), ...(to !== undefined && { $lte: to }) };
      const filter = {
        ...(book !== undefined && { book }),
        ...(Object.keys(months).length > 0 && { bookedIn: months }),
      };
      return list(workspaceId, page, { filter });
    },
  };
}
