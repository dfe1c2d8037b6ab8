import { ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { ensureSystemIndexes, systemCollection } from "@asset-register/mongo/system";
import { alertRuleRecords } from "../src/store/alert-rules/alert-rules.ts";
import { outdatedRuleRecords } from "../src/store/alert-rules/outdated-rules.ts";
import { ruleSweepRecords } from "../src/store/alert-rules/rule-sweeps.ts";
import { alertRecords } from "../src/store/alerts/alerts.ts";
import { digestIndexes, digestRecords } from "../src/store/alerts/digests.ts";
import { mailIndexes, mailRecords } from "../src/store/alerts/mails.ts";
import { noticeReadRecords } from "../src/store/alerts/notices.ts";
import { waitingSightingIndexes, waitingSightingRecords } from "../src/store/alerts/waiting-sightings.ts";
import { firstReadingRecords } from "../src/store/projections/first-readings.ts";
import { lastSightingRecords } from "../src/store/projections/last-sightings.ts";
import { readerProjection } from "../src/store/projections/readers.ts";
import { retention } from "../src/store/retention.ts";

export const alerting: Migration = {
  id: "0003-alerting",
  async up(mongo) {
    // Rules and alerts of earlier releases have no version, and no mark of the newest alert.
    await systemCollection(mongo, alertRuleRecords.collection).updateMany(
      { version: { $exists: false } },
      { $set: { version: 1 } },
    );
    await systemCollection(mongo, alertRecords.collection)
      .aggregate(
        [
          { $sort: { "order.epoch": -1, "order.sequence": -1 } },
          {
            $group: {
              _id: { workspaceId: "$workspaceId", ruleId: "$ruleId", subject: "$subject" },
              newest: { $first: "$_id" },
            },
          },
          { $project: { _id: "$newest", latest: { $literal: true } } },
          { $merge: { into: alertRecords.collection, on: "_id", whenNotMatched: "discard" } },
        ],
        { allowDiskUse: true },
      )
      .toArray();
    await ensureRecordIndexes(
      mongo,
      alertRecords,
      digestRecords,
      firstReadingRecords,
      lastSightingRecords,
      mailRecords,
      noticeReadRecords,
      outdatedRuleRecords,
      readerProjection,
      ruleSweepRecords,
      waitingSightingRecords,
    );
    await ensureSystemIndexes(mongo, digestRecords.collection, digestIndexes);
    await ensureSystemIndexes(mongo, mailRecords.collection, mailIndexes);
    await ensureSystemIndexes(mongo, waitingSightingRecords.collection, waitingSightingIndexes);
    for (const [collection, indexes] of Object.entries(retention)) {
      await ensureSystemIndexes(mongo, collection, indexes);
    }
  },
};
