import {
  type ClientSession,
  createRecordStore,
  defineRecords,
  embedded,
  type Mongo,
} from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import type { AlertRule } from "../domain/alert-rule.ts";

export const alertRuleRecords = defineRecords<AlertRule>({
  collection: "alert_rules",
  name: "alert rule",
  fields: {
    name: String,
    scopeType: String,
    scopeId: String,
    condition: embedded({ type: String, zoneId: String }),
    channel: String,
    channelTarget: String,
    enabled: Boolean,
    cooldownSeconds: Number,
    createdAt: Date,
    rev: Number,
  },
  indexes: [
    { name: "list", key: { workspaceId: 1, _id: 1 } },
    { name: "enabled", key: { workspaceId: 1, enabled: 1 } },
  ],
});

export function createAlertRuleStore(mongo: Mongo) {
  const { collection, insert, find, list } = createRecordStore(mongo, alertRuleRecords);
  return {
    insert,
    list: (workspaceId: string, page: PageQuery): Promise<Page<AlertRule>> => list(workspaceId, page),
    listEnabled: (workspaceId: string): Promise<AlertRule[]> => find(workspaceId, { enabled: true }),
    count: (workspaceId: string, session: ClientSession): Promise<number> =>
      collection.countDocuments({ workspaceId }, { session }),
  };
}
