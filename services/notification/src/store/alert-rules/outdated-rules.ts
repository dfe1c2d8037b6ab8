import {
  type ClientSession,
  defineRecords,
  embedded,
  type Mongo,
  type RecordDocument,
} from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import type { Actor } from "@asset-register/rpc";

/** A rule that was changed or deleted, and whose unresolved alerts are being resolved. The id is the rule's. */
export type OutdatedRule = {
  id: string;
  workspaceId: string;
  /** Alerts of earlier versions of the rule end. */
  version: number;
  by: Actor;
  at: Date;
};

export const outdatedRuleRecords = defineRecords<OutdatedRule>({
  collection: "outdated_rules",
  name: "rule",
  fields: { version: Number, by: embedded({ kind: String, id: String }), at: Date },
  // The index also creates the collection, so that no transaction has to.
  indexes: [{ name: "list", key: { workspaceId: 1, _id: 1 } }],
});

export function createOutdatedRuleStore(mongo: Mongo) {
  type Document = RecordDocument<OutdatedRule>;
  const { collection } = outdatedRuleRecords.store(mongo);
  const all = systemCollection<Document>(mongo, outdatedRuleRecords.collection);
  return {
    async add({ id, workspaceId, ...fields }: OutdatedRule, session: ClientSession): Promise<void> {
      await collection.updateOne({ workspaceId, _id: id }, { $set: fields }, { upsert: true, session });
    },

    /** Removes the row, unless the rule has changed again. */
    async remove({ id, workspaceId, version }: OutdatedRule): Promise<void> {
      await collection.deleteOne({ workspaceId, _id: id, version });
    },

    async listAll(limit: number): Promise<OutdatedRule[]> {
      const rows = await all.find().limit(limit).toArray();
      return rows.map(({ _id, ...row }) => ({ id: _id, ...row }));
    },
  };
}
