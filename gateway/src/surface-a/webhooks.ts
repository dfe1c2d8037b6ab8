import { WebhookService } from "@asset-register/proto/assetregister/notification/v1/webhook_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { created, forward } from "../http/context.ts";
import { presentA } from "../http/present.ts";
import { readRoutes } from "../http/read-routes.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { envelope, idParams } from "../http/schemas.ts";
import {
  createdWebhookSchema,
  delivery,
  newWebhookSchema,
  toWebhook,
  webhook,
} from "../resources/webhook.ts";
import type { Surface } from "../surface.ts";

export const webhooks: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list } = readRoutes(app, clients, "a");

  list("/webhooks", {
    summary: "List webhook subscriptions",
    access: { scope: "webhooks:read" },
    rpc: WebhookService.method.listWebhooks,
    record: webhook,
  });

  app.post(
    "/webhooks",
    {
      config: declared({ scope: "webhooks:write" }, WebhookService.method.createWebhook),
      schema: {
        summary: "Create a webhook subscription",
        body: newWebhookSchema,
        response: { 201: envelope(createdWebhookSchema) },
      },
    },
    async (request, reply) => {
      const answer = await clients.webhooks.createWebhook(
        { webhook: toWebhook(request.body) },
        forward(request, reply),
      );
      const made = webhook.present(required(answer.webhook));
      const { secret } = answer;
      created(reply, `/v1/webhooks/${made.id}`);
      return presentA("Webhook created. Keep its secret: it is shown only now.", { ...made, secret });
    },
  );

  app.delete(
    "/webhooks/:id",
    {
      config: declared({ scope: "webhooks:write" }, WebhookService.method.deleteWebhook),
      schema: { summary: "Delete a webhook subscription", params: idParams, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      await clients.webhooks.deleteWebhook({ id: request.params.id }, forward(request, reply));
      reply.code(204);
      return null;
    },
  );

  list("/webhooks/:id/deliveries", {
    summary: "The log of a webhook subscription",
    access: { scope: "webhooks:write" },
    rpc: WebhookService.method.listDeliveries,
    record: delivery,
    path: (webhookId) => ({ webhookId }),
  });
};
