import {
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
import {
  inProgress,
  notInProgress,
  type RejectedScans,
  type Session,
  type SessionStatus,
  scannable,
} from "../domain/session.ts";

const progress = embedded({ done: Number, total: Number });

export type SessionDocument = WorkDocument<Session>;

export const sessionRecords = defineWorkRecords<Session>({
  collection: "sessions",
  name: "session",
  fields: {
    name: String,
    scopeType: String,
    scopeId: String,
    blind: Boolean,
    openedAt: Date,
    reconciledAt: Date,
    closedAt: Date,
    expected: Number,
    excluded: Number,
    tagsScanned: Number,
    unexpectedInPlace: Number,
    coverage: Number,
    accuracy: Number,
    unresolved: Number,
    scans: Number,
    rejected: Object,
    scanSeq: Number,
    reconciledSeq: Number,
    stamped: progress,
    error: embedded({ code: String, message: String }),
    openedTo: String,
    run: Object,
    result: Object,
    resolutions: Number,
    createdAt: Date,
    createdBy: embeddedActor(),
    eventCount: Number,
    rev: Number,
  },
  counted: {},
  indexes: [
    { name: "list", key: { workspaceId: 1, _id: 1 } },
    { name: "status", key: { workspaceId: 1, status: 1, _id: 1 } },
  ],
});

/** Fields that a change of the status sets. Undefined removes one. */
type SessionChange = Partial<Omit<Session, "id" | "workspaceId" | "rev" | "eventCount">> & {
  status: SessionStatus;
};

/** Numbers to add to counters. */
type SessionCounts = Partial<
  Record<"unresolved" | "resolutions" | "eventCount" | "stamped.done" | `result.counts.${string}`, number>
>;

export function createSessionStore(mongo: Mongo) {
  const { collection, get, insert, list, toRecord } = sessionRecords.store(mongo);
  return {
    toRecord,
    insert,
    get,

    list(
      workspaceId: string,
      { inProgress: wanted }: { inProgress?: boolean | undefined },
      page: PageQuery,
    ): Promise<Page<Session>> {
      if (wanted === undefined) return list(workspaceId, page);
      return list(workspaceId, page, {
        filter: { status: { $in: [...(wanted ? inProgress : notInProgress)] } },
      });
    },

    /**
     * Changes the status of a session that is still at `before.rev`, and raises its rev. Long work on it ends. With
     * `event` its eventCount rises too.
     * @throws AppError CONFLICT if another change was saved first
     */
    async change(
      workspaceId: string,
      before: Session,
      change: SessionChange,
      { event = false, transaction }: { event?: boolean; transaction: ClientSession },
    ): Promise<Session> {
      const after = await collection.findOneAndUpdate(
        { workspaceId, _id: before.id, rev: before.rev, status: before.status },
        {
          ...setOrUnset({ ...change, ...unclaimed }),
          $inc: { rev: 1, ...(event && { eventCount: 1 }) },
        },
        { session: transaction, returnDocument: "after" },
      );
      if (after === null) throw changedMeanwhile("session");
      return toRecord(after);
    },

    /** Adds to counters of a session, which are no part of its rev. Undefined if it is missing. */
    async count(
      workspaceId: string,
      id: string,
      counts: SessionCounts,
      transaction: ClientSession,
    ): Promise<Session | undefined> {
      const after = await collection.findOneAndUpdate(
        { workspaceId, _id: id },
        { $inc: counts },
        { session: transaction, returnDocument: "after" },
      );
      return after === null ? undefined : toRecord(after);
    },

    /**
     * Counts new and rejected scans. Returns the seq of the new ones, and the rev. Undefined if the session accepts no
     * scans now.
     */
    async countScans(
      workspaceId: string,
      id: string,
      { scans, rejected }: { scans: number; rejected: RejectedScans },
      transaction: ClientSession,
    ): Promise<Pick<Session, "scanSeq" | "rev"> | undefined> {
      const byCode = Object.fromEntries(
        Object.entries(rejected).map(([code, count]) => [`rejected.${code}` as const, count]),
      );
      const after = await collection.findOneAndUpdate(
        { workspaceId, _id: id, status: { $in: [...scannable] } },
        { $inc: { scanSeq: Math.min(scans, 1), scans, ...byCode } },
        { session: transaction, returnDocument: "after", projection: { scanSeq: 1, rev: 1 } },
      );
      return after ?? undefined;
    },
  };
}
