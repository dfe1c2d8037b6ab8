import { type ClientSession, defineRecords, type Mongo } from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";

/** A message to people in the app: an alert, many alerts, or that an endpoint was disabled. */
export type Notice = { id: string; workspaceId: string; at: Date } & (
  | { kind: "alert"; alertId: string; ruleId: string; subject: string }
  | { kind: "alert_digest"; ruleId: string; count: number }
  | { kind: "endpoint_disabled"; endpointId: string; reason: "gone" | "failing" }
);

export const noticeRecords = defineRecords<Notice>({
  collection: "notices",
  name: "notice",
  fields: {
    kind: String,
    at: Date,
    alertId: String,
    ruleId: String,
    subject: String,
    endpointId: String,
    reason: String,
    count: Number,
  },
  indexes: [{ name: "list", key: { workspaceId: 1, _id: -1 } }],
});

/** A user has read a notice. */
type NoticeRead = { id: string; workspaceId: string; noticeId: string; userId: string; readAt: Date };

export const noticeReadRecords = defineRecords<NoticeRead>({
  collection: "notice_reads",
  name: "read mark",
  fields: { noticeId: String, userId: String, readAt: Date },
  indexes: [{ name: "once", key: { workspaceId: 1, userId: 1, noticeId: 1 }, unique: true }],
});

export function createNoticeStore(mongo: Mongo) {
  const { get, insert, insertMany, list } = noticeRecords.store(mongo);
  const reads = noticeReadRecords.store(mongo);
  return {
    insert,
    insertMany,
    get,

    /** The newest first. */
    list: (workspaceId: string, page: PageQuery): Promise<Page<Notice>> =>
      list(workspaceId, page, { newestFirst: true }),

    /** When a user read notices, by their ids. */
    async readTimes(workspaceId: string, userId: string, noticeIds: string[]): Promise<Map<string, Date>> {
      const found = await reads.find(workspaceId, { userId, noticeId: { $in: noticeIds } });
      return new Map(found.map(({ noticeId, readAt }) => [noticeId, readAt]));
    },

    /** Marks a notice as read by a user, unless it is marked already. Returns the time of the mark. */
    async markRead(
      workspaceId: string,
      { userId, noticeId, readAt }: Pick<NoticeRead, "userId" | "noticeId" | "readAt">,
      session: ClientSession,
    ): Promise<Date> {
      const mark = await reads.collection.findOneAndUpdate(
        { workspaceId, _id: `${noticeId}:${userId}` },
        { $setOnInsert: { userId, noticeId, readAt } },
        { upsert: true, returnDocument: "after", session },
      );
      return mark?.readAt ?? readAt;
    },
  };
}
