import {
  CreateWebhookResponseSchema,
  DeleteWebhookResponseSchema,
  type DeliverySchema,
  DeliveryStatus,
  ListDeliveriesResponseSchema,
  ListWebhooksResponseSchema,
  type WebhookSchema,
  WebhookService,
  WebhookStatus,
} from "@asset-register/proto/assetregister/notification/v1/webhook_pb";
import { command, implement } from "@asset-register/rpc";
import { notFound } from "@asset-register/runtime";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Context } from "../context.ts";
import { createWebhook } from "../operations/create-webhook.ts";
import { deleteWebhook } from "../operations/delete-webhook.ts";
import type { Delivery } from "../store/deliveries.ts";
import type { Endpoint } from "../store/endpoints.ts";
import { decodePage, encodePage } from "./page.ts";

export function webhookService(context: Context) {
  return implement(WebhookService, {
    createWebhook: command(
      ({ url, events }) => ({ url, events }),
      (input, call) => createWebhook(context, input, call),
      ({ webhook, secret }) =>
        create(CreateWebhookResponseSchema, { webhook: encodeWebhook(webhook), secret }),
    ),

    async listWebhooks(request, call) {
      const page = await context.endpoints.listSubscriptions(call.workspaceId, decodePage(request.page));
      return create(ListWebhooksResponseSchema, {
        webhooks: page.items.map(encodeWebhook),
        page: encodePage(page),
      });
    },

    deleteWebhook: command(
      ({ id, ifRevIn }) => ({ id, ifRevIn }),
      (input, call) => deleteWebhook(context, input, call),
      () => create(DeleteWebhookResponseSchema),
    ),

    async listDeliveries(request, call) {
      const { workspaceId } = call;
      const webhook = await context.endpoints.find(workspaceId, request.webhookId);
      if (webhook?.kind !== "subscription") throw notFound("There is no such webhook");
      const page = await context.deliveries.page(workspaceId, webhook.id, decodePage(request.page));
      return create(ListDeliveriesResponseSchema, {
        deliveries: page.items.map(encodeDelivery),
        page: encodePage(page),
      });
    },
  });
}

const webhookStatuses = {
  active: WebhookStatus.ACTIVE,
  disabled: WebhookStatus.DISABLED,
} as const satisfies Record<Endpoint["status"], WebhookStatus>;

const deliveryStatuses = {
  pending: DeliveryStatus.PENDING,
  delivered: DeliveryStatus.DELIVERED,
  failed: DeliveryStatus.FAILED,
} as const satisfies Record<Delivery["status"], DeliveryStatus>;

function encodeWebhook(webhook: Endpoint): MessageInitShape<typeof WebhookSchema> {
  const { id, url, events, status, createdAt, rev } = webhook;
  return {
    id,
    url,
    events,
    status: webhookStatuses[status],
    createdAt: timestampFromDate(createdAt),
    rev: rev,
  };
}

function encodeDelivery(delivery: Delivery): MessageInitShape<typeof DeliverySchema> {
  const { id, messageId, type, status, attempts, nextAttemptAt, responseStatus, lastError, createdAt } =
    delivery;
  return {
    id,
    messageId,
    type,
    status: deliveryStatuses[status],
    attempts,
    ...(status === "pending" ? { nextAttemptAt: timestampFromDate(nextAttemptAt) } : {}),
    lastResponseStatus: responseStatus ?? 0,
    lastError: lastError ?? "",
    createdAt: timestampFromDate(createdAt),
  };
}
