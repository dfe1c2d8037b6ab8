import {
  type Chunk,
  type ClientSession,
  defineWorkRecords,
  embedded,
  embeddedActor,
  type Mongo,
  setOrUnset,
  unclaimed,
  type WorkDocument,
} from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import { changedMeanwhile } from "@asset-register/runtime";
import type { PostedMonth } from "../../domain/ledger/recount.ts";
import type { Book } from "../../domain/profiles/profile.ts";
import { liveStatuses, type Run, type RunStatus } from "../../domain/runs/run.ts";
import type { Period } from "../../domain/schedule/period.ts";

export type RunDocument = WorkDocument<Run>;
export type RunChunk = Chunk<RunDocument>;

export const runRecords = defineWorkRecords<Run>({
  collection: "runs",
  name: "run",
  fields: {
    book: String,
    period: String,
    currency: String,
    stale: Boolean,
    totals: Object,
    amounts: Object,
    warnings: [Object],
    skipped: [Object],
    skippedCount: Number,
    after: String,
    phase: String,
    error: embedded({ code: String, message: String }),
    createdAt: Date,
    createdBy: embeddedActor(),
    postedAt: Date,
    postedBy: embeddedActor(),
    rev: Number,
  },
  counted: {},
  indexes: [
    { name: "list", key: { workspaceId: 1, _id: 1 } },
    { name: "book", key: { workspaceId: 1, book: 1, _id: 1 } },
    {
      name: "live",
      key: { workspaceId: 1, book: 1 },
      unique: true,
      partialFilterExpression: { status: { $in: [...liveStatuses] } },
    },
    {
      name: "posted",
      key: { workspaceId: 1, book: 1, period: 1 },
      unique: true,
      partialFilterExpression: { status: "posted" },
    },
  ],
});

/** Fields that an operation sets together with the status. */
type RunChange = Partial<Omit<Run, "id" | "workspaceId" | "rev">> & { status: RunStatus };

export function createRunStore(mongo: Mongo) {
  const { collection, get, find, findOne, insert, list, toRecord } = runRecords.store(mongo);

  const findLive = (workspaceId: string, book: Book, session?: ClientSession): Promise<Run | undefined> =>
    findOne(workspaceId, { book, status: { $in: [...liveStatuses] } }, session);

  async function lastMonth(
    workspaceId: string,
    { book, statuses }: { book: Book; statuses: RunStatus[] },
    session: ClientSession | undefined,
  ): Promise<Period | undefined> {
    const [last] = await collection
      .find(
        { workspaceId, book, status: { $in: statuses } },
        { ...(session && { session }), projection: { period: 1 } },
      )
      .sort({ period: -1 })
      .limit(1)
      .toArray();
    return last?.period;
  }

  return {
    toRecord,
    insert,
    get,

    list: (workspaceId: string, book: Book | undefined, page: PageQuery): Promise<Page<Run>> =>
      list(workspaceId, page, { filter: { book } }),

    /** The run of the book that is computing, a draft or posting. */
    findLive,

    /** The posted run of a month. */
    findPosted: (
      workspaceId: string,
      book: Book,
      period: Period,
      session?: ClientSession,
    ): Promise<Run | undefined> => findOne(workspaceId, { book, period, status: "posted" }, session),

    /** The last posted month of the book. */
    lastPosted: (workspaceId: string, book: Book, session?: ClientSession): Promise<Period | undefined> =>
      lastMonth(workspaceId, { book, statuses: ["posted"] }, session),

    /**
     * The last month of the book that no change of a profile may reach: that of the run that is posting, else the last
     * posted one.
     */
    lastClosed: (workspaceId: string, book: Book, session?: ClientSession): Promise<Period | undefined> =>
      lastMonth(workspaceId, { book, statuses: ["posted", "posting"] }, session),

    /** All posted months of both books, with the time. */
    async postedMonths(workspaceId: string, session?: ClientSession): Promise<PostedMonth[]> {
      const runs = await find(workspaceId, { status: "posted" }, { session });
      return runs.flatMap(({ book, period, postedAt }) => (postedAt ? [{ book, period, at: postedAt }] : []));
    },

    /** The run of the book that is posting. Meanwhile disposals wait. */
    findPosting: (workspaceId: string, book: Book, session?: ClientSession): Promise<Run | undefined> =>
      findOne(workspaceId, { book, status: "posting" }, session),

    /**
     * Changes a run that is still at `before.rev`, with its status and `stale`, and raises its rev. Long work on it ends.
     * @throws AppError CONFLICT if another change was saved first
     */
    async change(
      workspaceId: string,
      { id, rev, status, stale }: Run,
      change: RunChange,
      session: ClientSession,
    ): Promise<Run> {
      const after = await collection.findOneAndUpdate(
        { workspaceId, _id: id, rev, status, stale },
        { ...setOrUnset({ ...change, ...unclaimed }), $inc: { rev: 1 } },
        { session, returnDocument: "after" },
      );
      if (after === null) throw changedMeanwhile("run");
      return toRecord(after);
    },

    /** Marks a draft as stale. That is no part of its rev: otherwise a post would be PRECONDITION_FAILED, not RUN_STALE. */
    async setStale(workspaceId: string, id: string, session: ClientSession): Promise<void> {
      await collection.updateOne(
        { workspaceId, _id: id, status: "draft" },
        { $set: { stale: true } },
        { session },
      );
    },
  };
}
