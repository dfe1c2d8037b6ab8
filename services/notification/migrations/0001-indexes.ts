import { ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { ensureSystemIndexes } from "@asset-register/mongo/system";
import { alertRuleRecords } from "../src/store/alert-rules.ts";
import { alertRecords } from "../src/store/alerts.ts";
import { deliveryRecords } from "../src/store/deliveries.ts";
import { dueDeliveryIndexes } from "../src/store/due-deliveries.ts";
import { endpointRecords } from "../src/store/endpoints.ts";
import { noticeRecords } from "../src/store/notices.ts";
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
