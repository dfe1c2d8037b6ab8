import { type ClientSession, defineRecords, type Mongo } from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import type { AlertRule } from "../../domain/alert-rules/alert-rule.ts";

/** The alerts that were reported one by one in the newest minute in which the rule raised any. */
type AlertRuleBookkeeping = { reportedMinute?: Date | undefined; reported?: number | undefined };

export const alertRuleRecords = defineRecords<AlertRule, AlertRuleBookkeeping>({
  collection: "alert_rules",
  name: "alert rule",
  fields: {
    name: String,
    scopeType: String,
    scopeId: String,
    // Its fields differ by type, and the decoder has parsed them.
    condition: Object,
    channel: String,
    channelTarget: String,
    enabled: Boolean,
    cooldownSeconds: Number,
    createdAt: Date,
    activeSince: Date,
    rev: Number,
    version: Number,
  },
  beside: { reportedMinute: Date, reported: Number },
  indexes: [
    { name: "list", key: { workspaceId: 1, _id: 1 } },
    { name: "enabled", key: { workspaceId: 1, enabled: 1 } },
  ],
});

export function createAlertRuleStore(mongo: Mongo) {
  const { model, collection, get, insert, save, find, list } = alertRuleRecords.store(mongo);
  return {
    insert,
    save,
    get,
    list: (workspaceId: string, page: PageQuery): Promise<Page<AlertRule>> => list(workspaceId, page),
    listEnabled: (workspaceId: string): Promise<AlertRule[]> => find(workspaceId, { enabled: true }),
    count: (workspaceId: string, session: ClientSession): Promise<number> =>
      collection.countDocuments({ workspaceId }, { session }),

    async remove(workspaceId: string, id: string, session: ClientSession): Promise<void> {
      await model.deleteOne({ workspaceId, _id: id }, { session });
    },

    /**
     * Counts `count` alerts that a version of an enabled rule raises in a minute. A change of the rule at the same time
     * makes this a write conflict.
     * @returns how many alerts the rule had raised in the minute before; undefined when the rule has changed or is gone
     */
    async countReported(
      { workspaceId, id, version }: AlertRule,
      { minute, count }: { minute: Date; count: number },
      session: ClientSession,
    ): Promise<number | undefined> {
      const before = { $cond: [{ $eq: ["$reportedMinute", minute] }, { $ifNull: ["$reported", 0] }, 0] };
      const row = await collection.findOneAndUpdate(
        { workspaceId, _id: id, enabled: true, version },
        [{ $set: { reported: { $add: [before, count] }, reportedMinute: minute } }],
        { returnDocument: "after", projection: { reported: 1 }, session },
      );
      return row ? (row.reported ?? count) - count : undefined;
    },
  };
}
