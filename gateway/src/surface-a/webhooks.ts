import { WebhookService } from "@asset-register/proto/assetregister/notification/v1/webhook_pb";
import { limits } from "@asset-register/proto/limits";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { created, forward } from "../http/context.ts";
import { presentA, presentListA } from "../http/present.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { body, envelope, envelopeList, idParams, pageQueryA, toPageA } from "../http/schemas.ts";
import {
  deliverySchema,
  eventTypes,
  presentDelivery,
  presentWebhook,
  webhookSchema,
  webhookWithSecretSchema,
} from "../resources/webhook.ts";
import type { Surface } from "../surface.ts";

export const webhooks: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  app.get(
    "/webhooks",
    {
      config: declared({ scope: "webhooks:read" }, WebhookService.method.listWebhooks),
      schema: {
        summary: "List webhook subscriptions",
        querystring: Type.Object(pageQueryA),
        response: { 200: envelopeList(webhookSchema) },
      },
    },
    async (request, reply) => {
      const list = await clients.webhooks.listWebhooks(
        { page: toPageA(request.query) },
        forward(request, reply),
      );
      return presentListA("Webhook subscriptions", list.webhooks.map(presentWebhook), list.page);
    },
  );

  app.post(
    "/webhooks",
    {
      config: declared({ scope: "webhooks:write" }, WebhookService.method.createWebhook),
      schema: {
        summary: "Create a webhook subscription",
        body: body({
          url: Type.String({
            minLength: 1,
            maxLength: limits.url,
            examples: ["https://example.com/hooks/assets"],
          }),
          events: eventTypes,
        }),
        response: { 201: envelope(webhookWithSecretSchema) },
      },
    },
    async (request, reply) => {
      const { webhook, secret } = await clients.webhooks.createWebhook(request.body, forward(request, reply));
      const made = presentWebhook(required(webhook));
      created(reply, `/v1/webhooks/${made.id}`);
      return presentA("Webhook created: keep its secret, it is shown this once", { ...made, secret });
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

  app.get(
    "/webhooks/:id/deliveries",
    {
      config: declared({ scope: "webhooks:write" }, WebhookService.method.listDeliveries),
      schema: {
        summary: "The log of a webhook subscription",
        params: idParams,
        querystring: Type.Object(pageQueryA),
        response: { 200: envelopeList(deliverySchema) },
      },
    },
    async (request, reply) => {
      const list = await clients.webhooks.listDeliveries(
        { webhookId: request.params.id, page: toPageA(request.query) },
        forward(request, reply),
      );
      return presentListA("Deliveries", list.deliveries.map(presentDelivery), list.page);
    },
  );
};
