import {
  AlertRuleReceiverService,
  RotateAlertRuleSecretRequestSchema,
} from "@asset-register/proto/assetregister/notification/v1/alert_rule_receiver_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { forward } from "../http/context.ts";
import { readRoutes } from "../http/read-routes.ts";
import { requestMessage } from "../http/request-message.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { idParams } from "../http/schemas.ts";
import { alertRule, createdAlertRuleSchema } from "../resources/alert-rule.ts";
import { delivery, webhookRotationSchema } from "../resources/webhook.ts";
import type { Surface } from "../surface.ts";

const toRotation = requestMessage(RotateAlertRuleSecretRequestSchema, webhookRotationSchema);

export const alertRuleReceivers: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list } = readRoutes(app, clients, "b");

  app.post(
    "/alert-rules/:id/rotate-secret",
    {
      config: declared({ capability: "alerts" }, AlertRuleReceiverService.method.rotateAlertRuleSecret),
      schema: {
        summary: "Give the webhook of an alert rule a new secret",
        params: idParams,
        body: webhookRotationSchema,
        response: { 200: createdAlertRuleSchema },
      },
    },
    async (request, reply) => {
      const answer = await clients.alertRuleReceivers.rotateAlertRuleSecret(
        { ...toRotation(request.body), id: request.params.id },
        forward(request, reply),
      );
      return { ...alertRule.present(required(answer.alertRule)), secret: answer.secret };
    },
  );

  list("/alert-rules/:id/deliveries", {
    summary: "The log of the deliveries of an alert rule",
    access: { capability: "alerts" },
    rpc: AlertRuleReceiverService.method.listAlertRuleDeliveries,
    record: delivery,
    path: (id) => ({ id }),
  });
};
