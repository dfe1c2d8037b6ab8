import { AlertService } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { created, forward } from "../http/context.ts";
import { byId, readRoutes } from "../http/read-routes.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { idFilter, idParams, instant } from "../http/schemas.ts";
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
  const { patch, remove } = writeRoutes(app, clients, "b");

  list("/alert-rules", {
    summary: "List alert rules",
    access: { capability: "alerts" },
    rpc: AlertService.method.listAlertRules,
    record: alertRule,
  });

  app.post(
    "/alert-rules",
    {
      config: declared({ capability: "alerts" }, AlertService.method.createAlertRule),
      schema: {
        summary: "Create an alert rule",
        body: newAlertRuleSchema,
        response: { 201: createdAlertRuleSchema },
      },
    },
    async (request, reply) => {
      const answer = await clients.alerts.createAlertRule(
        toNewAlertRule(request.body),
        forward(request, reply),
      );
      const made = alertRule.present(required(answer.alertRule));
      const { secret } = answer;
      created(reply, `/asset_manager_api/alert-rules/${made.id}`);
      return { ...made, ...(secret && { secret }) };
    },
  );

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

  app.post(
    "/alerts/:id/ack",
    {
      config: declared({ capability: "alerts" }, AlertService.method.acknowledgeAlert),
      schema: { summary: "Acknowledge an alert", params: idParams, response: { 200: alert.schema } },
    },
    async (request, reply) => {
      const answer = await clients.alerts.acknowledgeAlert(
        { id: request.params.id },
        forward(request, reply),
      );
      return alert.present(required(answer.alert));
    },
  );

  app.post(
    "/alerts/:id/resolve",
    {
      config: declared({ capability: "alerts" }, AlertService.method.resolveAlert),
      schema: { summary: "Resolve an alert", params: idParams, response: { 200: alert.schema } },
    },
    async (request, reply) => {
      const answer = await clients.alerts.resolveAlert({ id: request.params.id }, forward(request, reply));
      return alert.present(required(answer.alert));
    },
  );
};
