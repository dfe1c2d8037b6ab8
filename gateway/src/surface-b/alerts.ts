import { AlertService } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { created, forward } from "../http/context.ts";
import { orNull, presentListB } from "../http/present.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { idFilter, idParams, pageOf, pageQueryB, toPageB } from "../http/schemas.ts";
import { alertSchema, alertStatus, presentAlert } from "../resources/alert.ts";
import {
  alertRuleSchema,
  newAlertRuleSchema,
  presentAlertRule,
  toNewAlertRule,
} from "../resources/alert-rule.ts";
import type { Surface } from "../surface.ts";

export const alerts: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  app.get(
    "/alert-rules",
    {
      config: declared({ capability: "alerts" }, AlertService.method.listAlertRules),
      schema: {
        summary: "List alert rules",
        querystring: Type.Object(pageQueryB),
        response: { 200: pageOf(alertRuleSchema) },
      },
    },
    async (request, reply) => {
      const list = await clients.alerts.listAlertRules(
        { page: toPageB(request.query) },
        forward(request, reply),
      );
      return presentListB(list.alertRules.map(presentAlertRule), list.page);
    },
  );

  app.post(
    "/alert-rules",
    {
      config: declared({ capability: "alerts" }, AlertService.method.createAlertRule),
      schema: {
        summary: "Create an alert rule",
        body: newAlertRuleSchema,
        response: { 201: alertRuleSchema },
      },
    },
    async (request, reply) => {
      const { alertRule, secret } = await clients.alerts.createAlertRule(
        toNewAlertRule(request.body),
        forward(request, reply),
      );
      const made = presentAlertRule(required(alertRule));
      created(reply, `/asset_manager_api/alert-rules/${made.id}`);
      return { ...made, ...(orNull(secret) !== null && { secret }) };
    },
  );

  app.get(
    "/alerts",
    {
      config: declared({ capability: "view" }, AlertService.method.listAlerts),
      schema: {
        summary: "List alerts",
        querystring: Type.Object({
          ...pageQueryB,
          status: Type.Optional(alertStatus.schema),
          rule_id: idFilter("rul"),
        }),
        response: { 200: pageOf(alertSchema) },
      },
    },
    async (request, reply) => {
      const { status, rule_id } = request.query;
      const list = await clients.alerts.listAlerts(
        { page: toPageB(request.query), status: alertStatus.value(status), ruleId: rule_id },
        forward(request, reply),
      );
      return presentListB(list.alerts.map(presentAlert), list.page);
    },
  );

  app.post(
    "/alerts/:id/ack",
    {
      config: declared({ capability: "alerts" }, AlertService.method.acknowledgeAlert),
      schema: { summary: "Acknowledge an alert", params: idParams, response: { 200: alertSchema } },
    },
    async (request, reply) => {
      const { alert } = await clients.alerts.acknowledgeAlert(
        { id: request.params.id },
        forward(request, reply),
      );
      return presentAlert(required(alert));
    },
  );

  app.post(
    "/alerts/:id/resolve",
    {
      config: declared({ capability: "alerts" }, AlertService.method.resolveAlert),
      schema: { summary: "Resolve an alert", params: idParams, response: { 200: alertSchema } },
    },
    async (request, reply) => {
      const { alert } = await clients.alerts.resolveAlert({ id: request.params.id }, forward(request, reply));
      return presentAlert(required(alert));
    },
  );
};
