import { AlertService } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { byId, readRoutes } from "../http/read-routes.ts";
import { idFilter, instant } from "../http/schemas.ts";
import { writeRoutes } from "../http/write-routes.ts";
import { alert, alertStatus } from "../resources/alert.ts";
import {
  alertRule,
  alertRulePatch,
  createdAlertRuleSchema,
  newAlertRuleSchema,
  toNewAlertRule,
} from "../resources/alert-rule.ts";
import type { Surface } from "../surface.ts";

export const alerts: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list, get } = readRoutes(app, clients, "b");
  const { create, act, patch, remove } = writeRoutes(app, clients, "b");

  list("/alert-rules", {
    summary: "List alert rules",
    access: { capability: "alerts" },
    rpc: AlertService.method.listAlertRules,
    record: alertRule,
  });

  create("/alert-rules", {
    summary: "Create an alert rule",
    access: { capability: "alerts" },
    rpc: AlertService.method.createAlertRule,
    record: alertRule,
    body: newAlertRuleSchema,
    toRequest: toNewAlertRule,
    beside: { schema: createdAlertRuleSchema, present: ({ secret }) => (secret ? { secret } : {}) },
  });

  get("/alert-rules/:id", {
    summary: "Retrieve one alert rule",
    access: { capability: "alerts" },
    rpc: AlertService.method.getAlertRule,
    record: alertRule,
  });

  patch("/alert-rules/:id", {
    summary: "Change an alert rule. Another scope or condition resolves its open alerts",
    access: { capability: "alerts" },
    rpc: AlertService.method.updateAlertRule,
    record: alertRule,
    patch: alertRulePatch,
  });

  remove("/alert-rules/:id", {
    summary: "Delete an alert rule and resolve its open alerts",
    access: { capability: "alerts" },
    rpc: AlertService.method.deleteAlertRule,
  });

  list("/alerts", {
    summary: "List alerts",
    access: { capability: "view" },
    rpc: AlertService.method.listAlerts,
    record: alert,
    sorts: byId,
    query: {
      status: Type.Optional(alertStatus),
      rule_id: idFilter("rul"),
      asset_id: idFilter("ast"),
      from: Type.Optional(instant("Of first_at, inclusive")),
      to: Type.Optional(instant("Of first_at, exclusive")),
    },
  });

  get("/alerts/:id", {
    summary: "Retrieve one alert",
    access: { capability: "view" },
    rpc: AlertService.method.getAlert,
    record: alert,
  });

  act("/alerts/:id/ack", {
    summary: "Acknowledge an alert",
    access: { capability: "alerts" },
    rpc: AlertService.method.acknowledgeAlert,
    record: alert,
  });

  act("/alerts/:id/resolve", {
    summary: "Resolve an alert",
    access: { capability: "alerts" },
    rpc: AlertService.method.resolveAlert,
    record: alert,
  });
};
