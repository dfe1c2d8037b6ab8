import { WebhookService } from "@asset-register/proto/assetregister/notification/v1/webhook_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { forward } from "../http/context.ts";
import { presentA } from "../http/present.ts";
import { readRoutes } from "../http/read-routes.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { envelope, id } from "../http/schemas.ts";
import { writeRoutes } from "../http/write-routes.ts";
import {
  createdWebhookSchema,
  delivery,
  newWebhookSchema,
  toWebhook,
  toWebhookRotation,
  webhook,
  webhookPatch,
  webhookRotationSchema,
} from "../resources/webhook.ts";
import type { Surface } from "../surface.ts";

export const webhooks: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list, get } = readRoutes(app, clients, "a");
  const { create, act, patch, remove } = writeRoutes(app, clients, "a");

  list("/webhooks", {
    summary: "List webhook subscriptions",
    access: { scope: "webhooks:read" },
    rpc: WebhookService.method.listWebhooks,
    record: webhook,
  });

  get("/webhooks/:id", {
    summary: "Retrieve one webhook subscription",
    access: { scope: "webhooks:read" },
    rpc: WebhookService.method.getWebhook,
    record: webhook,
  });

  create("/webhooks", {
    summary: "Create a webhook subscription",
    access: { scope: "webhooks:write" },
    rpc: WebhookService.method.createWebhook,
    record: webhook,
    body: newWebhookSchema,
    toRequest: (given) => ({ webhook: toWebhook(given) }),
    beside: { schema: createdWebhookSchema, present: ({ secret }) => ({ secret }) },
    message: "Webhook created. Keep its secret: it is shown only now.",
  });

  patch("/webhooks/:id", {
    summary: "Change a webhook subscription",
    access: { scope: "webhooks:write" },
    rpc: WebhookService.method.updateWebhook,
    record: webhook,
    patch: webhookPatch,
  });

  remove("/webhooks/:id", {
    summary: "Delete a webhook subscription",
    access: { scope: "webhooks:write" },
    rpc: WebhookService.method.deleteWebhook,
  });

  act("/webhooks/:id/rotate-secret", {
    summary: "Give a webhook subscription a new secret",
    access: { scope: "webhooks:write" },
    rpc: WebhookService.method.rotateWebhookSecret,
    record: webhook,
    body: webhookRotationSchema,
    toRequest: toWebhookRotation,
    beside: { schema: createdWebhookSchema, present: ({ secret }) => ({ secret }) },
    message: "Secret rotated. Keep the new one: it is shown only now.",
  });

  act("/webhooks/:id/test", {
    summary: "Send a test message to a webhook subscription",
    access: { scope: "webhooks:write" },
    rpc: WebhookService.method.testWebhook,
    record: delivery,
    message: "The test is on its way.",
  });

  list("/webhooks/:id/deliveries", {
    summary: "The log of a webhook subscription",
    access: { scope: "webhooks:write" },
    rpc: WebhookService.method.listDeliveries,
    record: delivery,
    path: (webhookId) => ({ webhookId }),
  });

  app.post(
    "/webhooks/:id/deliveries/:delivery_id/retry",
    {
      config: declared({ scope: "webhooks:write" }, WebhookService.method.retryDelivery),
      schema: {
        summary: "Send a message to a webhook subscription again",
        params: deliveryParams,
        response: { 200: envelope(delivery.schema) },
      },
    },
    async (request, reply) => {
      const { id: webhookId, delivery_id } = request.params;
      const answer = await clients.webhooks.retryDelivery(
        { webhookId, id: delivery_id },
        forward(request, reply),
      );
      return presentA("The message is sent again.", delivery.present(required(answer.delivery)));
    },
  );
};

const deliveryParams = Type.Object({ id: id("whk"), delivery_id: id("dlv") });
