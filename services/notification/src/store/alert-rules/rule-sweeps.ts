import { defineRecords, type Mongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import { silentTypes } from "../../domain/alert-rules/condition.ts";
import { alertRuleRecords } from "./alert-rules.ts";

/** How far the silence of assets was judged for a version of a rule. The id is the rule's. */
export type RuleSweep = {
  id: string;
  workspaceId: string;
  version: number;
  /** When it was swept, and up to which time of the newest sighting, with the last asset of that time. */
  sweptAt: Date;
  until: Date;
  afterId: string;
};

export const ruleSweepRecords = defineRecords<RuleSweep>({
  collection: "rule_sweeps",
  name: "sweep",
  fields: { version: Number, sweptAt: Date, until: Date, afterId: String },
  indexes: [{ name: "list", key: { workspaceId: 1, _id: 1 } }],
});

export function createRuleSweepStore(mongo: Mongo) {
  const { collection, get } = ruleSweepRecords.store(mongo);
  const rules = systemCollection<{ _id: string; workspaceId: string }>(mongo, alertRuleRecords.collection);
  return {
    get,

    async save({ id, workspaceId, ...fields }: RuleSweep): Promise<void> {
      await collection.updateOne({ workspaceId, _id: id }, { $set: fields }, { upsert: true });
    },

    async remove(workspaceId: string, ruleId: string): Promise<void> {
      await collection.deleteOne({ workspaceId, _id: ruleId });
    },

    /** The workspaces that have enabled rules about silence. */
    listWorkspaces: (): Promise<string[]> =>
      rules.distinct("workspaceId", {
        enabled: true,
        "condition.type": { $in: [...silentTypes] },
      }),
  };
}
