import {
  AlertRuleReceiverService,
  RotateAlertRuleSecretRequestSchema,
} from "@asset-register/proto/assetregister/notification/v1/alert_rule_receiver_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { readRoutes } from "../http/read-routes.ts";
import { requestMessage } from "../http/request-message.ts";
import { writeRoutes } from "../http/write-routes.ts";
import { alertRule, createdAlertRuleSchema } from "../resources/alert-rule.ts";
import { delivery, webhookRotationSchema } from "../resources/webhook.ts";
import type { Surface } from "../surface.ts";

const toRotation = requestMessage(RotateAlertRuleSecretRequestSchema, webhookRotationSchema);

export const alertRuleReceivers: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list } = readRoutes(app, clients, "b");
  const { act } = writeRoutes(app, clients, "b");

  act("/alert-rules/:id/rotate-secret", {
    summary: "Give the webhook of an alert rule a new secret",
    access: { capability: "alerts" },
    rpc: AlertRuleReceiverService.method.rotateAlertRuleSecret,
    record: alertRule,
    body: webhookRotationSchema,
    toRequest: toRotation,
    beside: { schema: createdAlertRuleSchema, present: ({ secret }) => ({ secret }) },
  });

  list("/alert-rules/:id/deliveries", {
    summary: "The log of the deliveries of an alert rule",
    access: { capability: "alerts" },
    rpc: AlertRuleReceiverService.method.listAlertRuleDeliveries,
    record: delivery,
    path: (id) => ({ id }),
  });
};
