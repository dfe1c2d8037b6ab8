import type { Migration } from "@asset-register/mongo";
import { ensureSystemIndexes } from "@asset-register/mongo/system";
import { deliveryRecords } from "../src/store/webhooks/deliveries.ts";
import { dropFirstExpiry, dueDeliveryIndexes } from "../src/store/webhooks/due-deliveries.ts";

/** The log is kept for 45 days, and pending deliveries until they end. */
export const deliveryLog: Migration = {
  id: "0002-delivery-log",
  async up(mongo) {
    await dropFirstExpiry(mongo);
    await ensureSystemIndexes(mongo, deliveryRecords.collection, dueDeliveryIndexes);
  },
};
