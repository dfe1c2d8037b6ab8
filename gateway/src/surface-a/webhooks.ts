import { WebhookService } from "@asset-register/proto/assetregister/notification/v1/webhook_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { created, forward } from "../http/context.ts";
import { presentA } from "../http/present.ts";
import { readRoutes } from "../http/read-routes.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { envelope, id, idParams } from "../http/schemas.ts";
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
  const { patch, remove } = writeRoutes(app, clients, "a");

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

  app.post(
    "/webhooks/:id/rotate-secret",
    {
      config: declared({ scope: "webhooks:write" }, WebhookService.method.rotateWebhookSecret),
      schema: {
        summary: "Give a webhook subscription a new secret",
        params: idParams,
        body: webhookRotationSchema,
        response: { 200: envelope(createdWebhookSchema) },
      },
    },
    async (request, reply) => {
      const answer = await clients.webhooks.rotateWebhookSecret(
        { ...toWebhookRotation(request.body), id: request.params.id },
        forward(request, reply),
      );
      const rotated = { ...webhook.present(required(answer.webhook)), secret: answer.secret };
      return presentA("Secret rotated. Keep the new one: it is shown only now.", rotated);
    },
  );

  app.post(
    "/webhooks/:id/test",
    {
      config: declared({ scope: "webhooks:write" }, WebhookService.method.testWebhook),
      schema: {
        summary: "Send a test message to a webhook subscription",
        params: idParams,
        response: { 200: envelope(delivery.schema) },
      },
    },
    async (request, reply) => {
      const answer = await clients.webhooks.testWebhook({ id: request.params.id }, forward(request, reply));
      return presentA("The test is on its way.", delivery.present(required(answer.delivery)));
    },
  );

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
