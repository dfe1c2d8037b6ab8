import type { ClientSession, Mongo } from "@asset-register/mongo";
import { newId } from "@asset-register/runtime";

/** Something that people see in the app: an alert, or that an endpoint was turned off. */
export type Notice =
  | { kind: "alert"; alertId: string; ruleId: string; subject: string; at: Date }
  | { kind: "endpoint_disabled"; endpointId: string; reason: "gone" | "failing"; at: Date };

type NoticeDocument = { _id: string; workspaceId: string; kind: Notice["kind"]; at: Date } & Record<
  string,
  unknown
>;

export const NOTICES = "notices";

export type NoticeStore = ReturnType<typeof createNoticeStore>;

export function createNoticeStore(mongo: Mongo) {
  const rows = mongo.collection<NoticeDocument>(NOTICES);
  return {
    async insert(workspaceId: string, notice: Notice, session: ClientSession): Promise<void> {
      await rows.insertOne({ _id: newId("ntc"), workspaceId, ...toFields(notice) }, { session });
    },
  };
}

function toFields(notice: Notice) {
  return notice.kind === "alert"
    ? {
        kind: notice.kind,
        at: notice.at,
        alert_id: notice.alertId,
        rule_id: notice.ruleId,
        subject: notice.subject,
      }
    : { kind: notice.kind, at: notice.at, endpoint_id: notice.endpointId, reason: notice.reason };
}
