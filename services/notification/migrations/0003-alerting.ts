import { ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { ensureSystemIndexes, systemCollection } from "@asset-register/mongo/system";
import { alertRuleRecords } from "../src/store/alert-rules.ts";
import { alertRecords } from "../src/store/alerts.ts";
import { digestIndexes, digestRecords } from "../src/store/digests.ts";
import { firstReadingRecords } from "../src/store/first-readings.ts";
import { lastSightingRecords } from "../src/store/last-sightings.ts";
import { mailIndexes, mailRecords } from "../src/store/mails.ts";
import { noticeReadRecords } from "../src/store/notices.ts";
import { outdatedRuleRecords } from "../src/store/outdated-rules.ts";
import { readerProjection } from "../src/store/readers.ts";
import { retention } from "../src/store/retention.ts";
import { ruleSweepRecords } from "../src/store/rule-sweeps.ts";
import { waitingSightingIndexes, waitingSightingRecords } from "../src/store/waiting-sightings.ts";

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
