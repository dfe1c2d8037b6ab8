import { ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { ensureSystemIndexes } from "@asset-register/mongo/system";
import { alertRuleRecords } from "../src/store/alert-rules/alert-rules.ts";
import { alertRecords } from "../src/store/alerts/alerts.ts";
import { noticeRecords } from "../src/store/alerts/notices.ts";
import { deliveryRecords } from "../src/store/webhooks/deliveries.ts";
import { dueDeliveryIndexes } from "../src/store/webhooks/due-deliveries.ts";
import { endpointRecords } from "../src/store/webhooks/endpoints.ts";
import { workspaceLimitRecords } from "../src/store/workspace-limits.ts";

export const indexes: Migration = {
  id: "0001-indexes",
  async up(mongo) {
    await ensureRecordIndexes(
      mongo,
      alertRuleRecords,
      alertRecords,
      deliveryRecords,
      endpointRecords,
      noticeRecords,
      workspaceLimitRecords,
    );
    await ensureSystemIndexes(mongo, deliveryRecords.collection, dueDeliveryIndexes);
  },
};
