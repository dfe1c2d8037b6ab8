import { defineRecords, embedded, type Index, type Mongo, type RecordDocument } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import { type Sighting, subjectOf } from "../../domain/alerts/sighting.ts";
import { embeddedClone } from "./alerts.ts";

/** A sighting that a rule could not be judged for, because the register did not answer. */
export type WaitingSighting = {
  id: string;
  workspaceId: string;
  ruleId: string;
  subject: string;
  sighting: Sighting;
  savedAt: Date;
};

export const waitingSightingRecords = defineRecords<WaitingSighting>({
  collection: "waiting_sightings",
  name: "waiting sighting",
  fields: {
    ruleId: String,
    subject: String,
    sighting: embedded({
      ...{ id: String, kind: String, epc: String, assetId: String, readerId: String, zoneId: String },
      ...{ locationId: String, fromZoneId: String, at: Date, receivedAt: Date },
      ...{ unconfirmed: Boolean, reason: String, clone: embeddedClone() },
      order: embedded({ epoch: Number, sequence: Number }),
    }),
    savedAt: Date,
  },
  indexes: [
    { name: "subject", key: { workspaceId: 1, subject: 1, ruleId: 1 } },
    {
      name: "order",
      key: { workspaceId: 1, subject: 1, "sighting.order.epoch": 1, "sighting.order.sequence": 1 },
    },
    { name: "rule", key: { workspaceId: 1, ruleId: 1 } },
    { name: "age", key: { workspaceId: 1, savedAt: 1 } },
  ],
});

/** Of sightings that wait, across workspaces. */
export const waitingSightingIndexes: readonly Index[] = [{ name: "workspaces", key: { workspaceId: 1 } }];

/** A rule and the subject of a sighting. */
export type Pair = { ruleId: string; subject: string };

/** Of earlier releases. It removed sightings that still waited, without a trace. */
export async function dropWaitingExpiry(mongo: Mongo): Promise<void> {
  const collection = systemCollection(mongo, waitingSightingRecords.collection);
  const indexes = await collection.indexes();
  if (indexes.some(({ name }) => name === "expiry")) await collection.dropIndex("expiry");
}

export function createWaitingSightingStore(mongo: Mongo) {
  type Document = RecordDocument<WaitingSighting>;
  const { collection, find } = waitingSightingRecords.store(mongo);
  const all = systemCollection<Document>(mongo, waitingSightingRecords.collection);
  return {
    /** Sets sightings aside, each once for its rule. */
    async addOnce(
      workspaceId: string,
      items: readonly { ruleId: string; sighting: Sighting }[],
      savedAt: Date,
    ): Promise<void> {
      if (items.length === 0) return;
      const upserts = items.map(({ ruleId, sighting }) => ({
        updateOne: {
          filter: { workspaceId, _id: `${ruleId}:${sighting.id}` },
          update: { $setOnInsert: { ruleId, subject: subjectOf(sighting), sighting, savedAt } },
          upsert: true,
        },
      }));
      await collection.bulkWrite(upserts, { ordered: false, ignoreUndefined: true });
    },

    /** The pairs of these rules and subjects for which sightings wait. */
    async listPairs(workspaceId: string, ruleIds: string[], subjects: string[]): Promise<Pair[]> {
      if (ruleIds.length === 0 || subjects.length === 0) return [];
      return find(workspaceId, { subject: { $in: subjects }, ruleId: { $in: ruleIds } });
    },

    /** Sightings that wait, those of a subject in their order. */
    list: (workspaceId: string, limit: number): Promise<WaitingSighting[]> =>
      find(
        workspaceId,
        {},
        {
          sort: { subject: 1, "sighting.order.epoch": 1, "sighting.order.sequence": 1 },
          limit,
        },
      ),

    async remove(workspaceId: string, ids: string[]): Promise<void> {
      if (ids.length > 0) await collection.deleteMany({ workspaceId, _id: { $in: ids } });
    },

    /** Removes up to `limit` sightings that were set aside before. Returns their number. */
    async removeSavedBefore(workspaceId: string, before: Date, limit: number): Promise<number> {
      const rows = await find(workspaceId, { savedAt: { $lt: before } }, { limit });
      const ids = rows.map(({ id }) => id);
      if (ids.length > 0) await collection.deleteMany({ workspaceId, _id: { $in: ids } });
      return ids.length;
    },

    async removeOfRule(workspaceId: string, ruleId: string): Promise<void> {
      await collection.deleteMany({ workspaceId, ruleId });
    },

    /** The workspaces in which sightings wait. */
    listWorkspaces: (): Promise<string[]> => all.distinct("workspaceId"),
  };
}
