import { createRecordStore, defineRecords, embedded, type Mongo } from "@asset-register/mongo";
import type { Variance } from "../domain/variance.ts";
import { actorFields } from "./sessions.ts";

export const varianceRecords = defineRecords<Variance>({
  collection: "variances",
  name: "variance",
  fields: {
    sessionId: String,
    subject: String,
    kind: String,
    assetId: String,
    assetNumber: String,
    assetName: String,
    cost: Number,
    nbv: Number,
    code: String,
    epc: String,
    expectedLocationId: String,
    expectedLocationName: String,
    effectiveLocationId: String,
    effectiveLocationName: String,
    lastScannedAt: Date,
    deviceId: String,
    reason: String,
    checkoutId: String,
    status: String,
    resolution: String,
    note: String,
    resolvedBy: embedded(actorFields),
    resolvedAt: Date,
    obsolete: Boolean,
    rev: Number,
  },
  indexes: [
    { name: "subject", key: { workspaceId: 1, sessionId: 1, subject: 1 }, unique: true },
    { name: "list", key: { workspaceId: 1, sessionId: 1, _id: 1 } },
    { name: "kind", key: { workspaceId: 1, sessionId: 1, kind: 1, status: 1, _id: 1 } },
    { name: "status", key: { workspaceId: 1, sessionId: 1, status: 1, _id: 1 } },
  ],
});

export function createVarianceStore(mongo: Mongo) {
  const { findOne } = createRecordStore(mongo, varianceRecords);
  return {
    get: (workspaceId: string, id: string): Promise<Variance | undefined> =>
      findOne(workspaceId, { _id: id }),
  };
}
