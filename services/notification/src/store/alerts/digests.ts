import {
  type ClientSession,
  defineRecords,
  type Index,
  type Mongo,
  type RecordDocument,
} from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";

/** The alerts of a rule that were raised in a minute and not reported one by one. */
export type Digest = {
  id: string;
  workspaceId: string;
  ruleId: string;
  minute: Date;
  count: number;
  firstAt: Date;
  lastAt: Date;
  /** At most 100. */
  alertIds: string[];
};

const MAX_ALERT_IDS = 100;

export const digestRecords = defineRecords<Digest>({
  collection: "digests",
  name: "digest",
  fields: { ruleId: String, minute: Date, count: Number, firstAt: Date, lastAt: Date, alertIds: [String] },
  indexes: [{ name: "rule", key: { workspaceId: 1, ruleId: 1, minute: 1 } }],
});

/** Of digests whose minute is over, across workspaces. */
export const digestIndexes: readonly Index[] = [{ name: "minute", key: { minute: 1 } }];

export function createDigestStore(mongo: Mongo) {
  type Document = RecordDocument<Digest>;
  const { collection, get } = digestRecords.store(mongo);
  const all = systemCollection<Document>(mongo, digestRecords.collection);
  return {
    /** Adds alerts to the digest of their rule and minute. */
    async add(
      workspaceId: string,
      ruleId: string,
      minute: Date,
      alerts: readonly { id: string; firstAt: Date }[],
      session: ClientSession,
    ): Promise<void> {
      const times = alerts.map(({ firstAt }) => firstAt.getTime());
      await collection.updateOne(
        { workspaceId, _id: `${ruleId}:${minute.toISOString()}` },
        {
          $setOnInsert: { ruleId, minute },
          $inc: { count: alerts.length },
          $min: { firstAt: new Date(Math.min(...times)) },
          $max: { lastAt: new Date(Math.max(...times)) },
          $push: { alertIds: { $each: alerts.map(({ id }) => id), $slice: MAX_ALERT_IDS } },
        },
        { upsert: true, session },
      );
    },

    /** Digests of minutes before `minute`. */
    async listDue(minute: Date, limit: number): Promise<{ id: string; workspaceId: string }[]> {
      const rows = await all
        .find({ minute: { $lt: minute } })
        .sort({ minute: 1 })
        .limit(limit)
        .toArray();
      return rows.map(({ _id, workspaceId }) => ({ id: _id, workspaceId }));
    },

    get,

    async remove(workspaceId: string, id: string, session: ClientSession): Promise<void> {
      await collection.deleteOne({ workspaceId, _id: id }, { session });
    },

    async removeOfRule(workspaceId: string, ruleId: string, session: ClientSession): Promise<void> {
      await collection.deleteMany({ workspaceId, ruleId }, { session });
    },
  };
}
