import { WebhookService } from "@asset-register/proto/assetregister/notification/v1/webhook_pb";
import { command, type Implementation, implement, pageInfo, pageRequest } from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { decodeCreateWebhook } from "../decode/webhook.ts";
import { encodeDelivery, encodeWebhook } from "../encode/webhook.ts";
import { createWebhook } from "../operations/create-webhook.ts";
import { deleteWebhook } from "../operations/delete-webhook.ts";

export function webhookService(context: Context): Implementation {
  const { stores } = context;
  return implement(WebhookService, {
    createWebhook: command(
      decodeCreateWebhook,
      (input, call) => createWebhook(context, input, call),
      ({ webhook, secret }) => ({ webhook: encodeWebhook(webhook), secret }),
    ),

    async listWebhooks(request, { workspaceId }) {
      const found = await stores.endpoints.listSubscriptions(workspaceId, pageRequest(request.page));
      return { webhooks: found.items.map(encodeWebhook), page: pageInfo(found) };
    },

    deleteWebhook: command(
      ({ id, ifRevIn }) => ({ id, ifRevIn }),
      (input, call) => deleteWebhook(context, input, call),
      () => ({}),
    ),

    async listDeliveries(request, { workspaceId }) {
      const webhook = requireFound(
        await stores.endpoints.getSubscription(workspaceId, request.webhookId),
        "webhook",
      );
      const found = await stores.deliveries.list(workspaceId, webhook.id, pageRequest(request.page));
      return { deliveries: found.items.map(encodeDelivery), page: pageInfo(found) };
    },
  });
}
