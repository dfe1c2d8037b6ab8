import {
  type ClientSession,
  createRecordStore,
  definedOnly,
  defineRecords,
  embedded,
  type Mongo,
} from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import type { Alert, AlertFilter } from "../domain/alert.ts";

/** True until the alert is resolved: for the unique index on rule and subject. */
type AlertKeys = { unresolved: boolean };

export const alertRecords = defineRecords<Alert, AlertKeys>({
  collection: "alerts",
  name: "alert",
  fields: {
    ruleId: String,
    status: String,
    subject: String,
    assetId: String,
    zoneId: String,
    readerId: String,
    count: Number,
    firstAt: Date,
    lastAt: Date,
    acknowledgedAt: Date,
    resolvedAt: Date,
    rev: Number,
    order: embedded({ epoch: Number, sequence: Number }),
  },
  beside: { unresolved: Boolean },
  derive: ({ status }) => ({ unresolved: status !== "resolved" }),
  indexes: [
    {
      name: "one_unresolved",
      key: { workspaceId: 1, ruleId: 1, subject: 1 },
      unique: true,
      partialFilterExpression: { unresolved: true },
    },
    {
      name: "latest",
      key: { workspaceId: 1, ruleId: 1, subject: 1, "order.epoch": -1, "order.sequence": -1 },
    },
    { name: "list", key: { workspaceId: 1, _id: 1 } },
    { name: "status", key: { workspaceId: 1, status: 1, _id: 1 } },
    { name: "rule", key: { workspaceId: 1, ruleId: 1, _id: 1 } },
  ],
});

export function createAlertStore(mongo: Mongo) {
  const { collection, insert, save, findOne, find, list } = createRecordStore(mongo, alertRecords);
  return {
    insert,
    save,

    get: (workspaceId: string, id: string, session: ClientSession): Promise<Alert | undefined> =>
      findOne(workspaceId, { _id: id }, session),

    list: (workspaceId: string, filter: AlertFilter, page: PageQuery): Promise<Page<Alert>> =>
      list(workspaceId, page, { filter: definedOnly(filter) }),

    /** The newest alert of a rule for a subject, resolved or not. */
    async getLatest(
      workspaceId: string,
      ruleId: string,
      subject: string,
      session: ClientSession,
    ): Promise<Alert | undefined> {
      const sort = { "order.epoch": -1, "order.sequence": -1 } as const;
      const [latest] = await find(workspaceId, { ruleId, subject }, { session, sort, limit: 1 });
      return latest;
    },

    async hasUnresolved(workspaceId: string, ruleId: string, subject: string): Promise<boolean> {
      const filter = { workspaceId, ruleId, subject, unresolved: true };
      return (await collection.countDocuments(filter, { limit: 1 })) > 0;
    },
  };
}
