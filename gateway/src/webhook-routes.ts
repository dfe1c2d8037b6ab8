import { WebhookService } from "@asset-register/proto/assetregister/notification/v1/webhook_pb";
import type { FastifyInstance } from "fastify";
import Type from "typebox";
import { forward } from "./http/context.ts";
import { readRoutes, surfaces } from "./http/read-routes.ts";
import { required } from "./http/required.ts";
import { declared, type RouteAccess } from "./http/routes.ts";
import { id } from "./http/schemas.ts";
import { writeRoutes } from "./http/write-routes.ts";
import {
  createdWebhookSchema,
  delivery,
  newWebhookSchema,
  toWebhook,
  toWebhookRotation,
  webhook,
  webhookPatch,
  webhookRotationSchema,
} from "./resources/webhook.ts";
import type { Surface } from "./surface.ts";

const deliveryParams = Type.Object({ id: id("whk"), delivery_id: id("dlv") });

/** The rights that a surface needs for the routes: to read subscriptions, and for all others. */
export type WebhookAccess = { read: RouteAccess; write: RouteAccess };

/** Registers the routes of webhook subscriptions on a surface: programs and admins have the same ones. */
export function webhookRoutes(
  app: FastifyInstance,
  { clients }: Surface,
  name: keyof typeof surfaces,
  { read, write }: WebhookAccess,
): void {
  const { list, get } = readRoutes(app, clients, name);
  const { create, act, patch, remove } = writeRoutes(app, clients, name);
  const { recordSchema, presentRecord } = surfaces[name];

  list("/webhooks", {
    summary: "List webhook subscriptions",
    access: read,
    rpc: WebhookService.method.listWebhooks,
    record: webhook,
  });

  get("/webhooks/:id", {
    summary: "Retrieve one webhook subscription",
    access: read,
    rpc: WebhookService.method.getWebhook,
    record: webhook,
  });

  create("/webhooks", {
    summary: "Create a webhook subscription",
    access: write,
    rpc: WebhookService.method.createWebhook,
    record: webhook,
    body: newWebhookSchema,
    toRequest: (given) => ({ webhook: toWebhook(given) }),
    beside: { schema: createdWebhookSchema, present: ({ secret }) => ({ secret }) },
    message: "Webhook created. Keep its secret: it is shown only now.",
  });

  patch("/webhooks/:id", {
    summary: "Change a webhook subscription",
    access: write,
    rpc: WebhookService.method.updateWebhook,
    record: webhook,
    patch: webhookPatch,
  });

  remove("/webhooks/:id", {
    summary: "Delete a webhook subscription",
    access: write,
    rpc: WebhookService.method.deleteWebhook,
  });

  act("/webhooks/:id/rotate-secret", {
    summary: "Give a webhook subscription a new secret",
    access: write,
    rpc: WebhookService.method.rotateWebhookSecret,
    record: webhook,
    body: webhookRotationSchema,
    toRequest: toWebhookRotation,
    beside: { schema: createdWebhookSchema, present: ({ secret }) => ({ secret }) },
    message: "Secret rotated. Keep the new one: it is shown only now.",
  });

  act("/webhooks/:id/test", {
    summary: "Send a test message to a webhook subscription",
    access: write,
    rpc: WebhookService.method.testWebhook,
    record: delivery,
    message: "The test is on its way.",
  });

  list("/webhooks/:id/deliveries", {
    summary: "The log of a webhook subscription",
    access: write,
    rpc: WebhookService.method.listDeliveries,
    record: delivery,
    path: (webhookId) => ({ webhookId }),
  });

  app.post<{ Params: Type.Static<typeof deliveryParams> }>(
    "/webhooks/:id/deliveries/:delivery_id/retry",
    {
      config: declared(write, WebhookService.method.retryDelivery),
      schema: {
        summary: "Send a message to a webhook subscription again",
        params: deliveryParams,
        response: { 200: recordSchema(delivery.schema) },
      },
    },
    async (request, reply) => {
      const { id: webhookId, delivery_id } = request.params;
      const answer = await clients.webhooks.retryDelivery(
        { webhookId, id: delivery_id },
        forward(request, reply),
      );
      return presentRecord(delivery.present(required(answer.delivery)), "The message is sent again.");
    },
  );
}
