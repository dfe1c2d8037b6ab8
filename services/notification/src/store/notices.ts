import { createRecordStore, defineRecords, type Mongo } from "@asset-register/mongo";

/** What people see in the app: an alert, or that an endpoint was disabled. */
export type Notice = { id: string; workspaceId: string; at: Date } & (
  | { kind: "alert"; alertId: string; ruleId: string; subject: string }
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
  },
  indexes: [{ name: "list", key: { workspaceId: 1, _id: -1 } }],
});

export function createNoticeStore(mongo: Mongo) {
  const { insert } = createRecordStore(mongo, noticeRecords);
  return { insert };
}
