import { ensureIndexes, type Migration } from "@asset-register/mongo";
import { ensureSystemIndexes } from "@asset-register/mongo/system";
import { ALERT_RULES } from "../src/store/alert-rules.ts";
import { ALERTS } from "../src/store/alerts.ts";
import { DELIVERIES } from "../src/store/deliveries.ts";
import { ENDPOINTS } from "../src/store/endpoints.ts";
import { NOTICES } from "../src/store/notices.ts";
import { WORKSPACE_LIMITS } from "../src/store/workspace-limits.ts";

const KEPT_SECONDS = 30 * 86_400;

export const indexes: Migration = {
  id: "notification-0001-indexes",
  async up(mongo) {
    await ensureIndexes(mongo, ENDPOINTS, [
      { name: "kind", key: { workspaceId: 1, kind: 1, _id: 1 } },
      { name: "active", key: { workspaceId: 1, kind: 1, status: 1 } },
    ]);
    await ensureIndexes(mongo, DELIVERIES, [
      { name: "once", key: { workspaceId: 1, endpoint_id: 1, message_id: 1 }, unique: true },
      { name: "log", key: { workspaceId: 1, endpoint_id: 1, _id: -1 } },
    ]);
    await ensureSystemIndexes(mongo, DELIVERIES, [
      {
        name: "due",
        key: { status: 1, endpoint_id: 1, next_attempt_at: 1, workspaceId: 1 },
        partialFilterExpression: { status: "pending" },
      },
      { name: "expiry", key: { created_at: 1 }, expireAfterSeconds: KEPT_SECONDS },
    ]);
    await ensureIndexes(mongo, ALERT_RULES, [
      { name: "list", key: { workspaceId: 1, _id: 1 } },
      { name: "enabled", key: { workspaceId: 1, enabled: 1 } },
    ]);
    await ensureIndexes(mongo, ALERTS, [
      {
        name: "one_unresolved",
        key: { workspaceId: 1, rule_id: 1, subject: 1 },
        unique: true,
        partialFilterExpression: { unresolved: true },
      },
      {
        name: "latest",
        key: { workspaceId: 1, rule_id: 1, subject: 1, "order.epoch": -1, "order.sequence": -1 },
      },
      { name: "list", key: { workspaceId: 1, _id: 1 } },
      { name: "status", key: { workspaceId: 1, status: 1, _id: 1 } },
      { name: "rule", key: { workspaceId: 1, rule_id: 1, _id: 1 } },
    ]);
    await ensureIndexes(mongo, NOTICES, [{ name: "list", key: { workspaceId: 1, _id: -1 } }]);
    // Made here too, so that no transaction has to create them.
    for (const collection of [WORKSPACE_LIMITS, "zones", "categories", "assets", "workspaces"]) {
      await ensureIndexes(mongo, collection, [{ name: "id", key: { workspaceId: 1, _id: 1 } }]);
    }
  },
};
