import {
  type CreateWebhookResponse,
  type RotateWebhookSecretResponse,
  WebhookService,
} from "@asset-register/proto/assetregister/notification/v1/webhook_pb";
import {
  type Call,
  command,
  type Implementation,
  implement,
  pageInfo,
  pageRequest,
} from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import {
  decodeCreateWebhook,
  decodeRetryDelivery,
  decodeRotateSecret,
  decodeTestWebhook,
  decodeUpdateWebhook,
} from "../decode/webhook.ts";
import { encodeDelivery, encodeWebhook } from "../encode/webhook.ts";
import { createWebhook } from "../operations/webhooks/create-webhook.ts";
import { deleteWebhook } from "../operations/webhooks/delete-webhook.ts";
import { isValidSecret } from "../operations/webhooks/is-valid-secret.ts";
import { retryDelivery } from "../operations/webhooks/retry-delivery.ts";
import { rotateWebhookSecret } from "../operations/webhooks/rotate-webhook-secret.ts";
import { testWebhook } from "../operations/webhooks/test-webhook.ts";
import { updateWebhook } from "../operations/webhooks/update-webhook.ts";

export function webhookService(context: Context): Implementation {
  const { stores } = context;
  const isSecretValid = (
    { webhook, secret }: CreateWebhookResponse | RotateWebhookSecretResponse,
    call: Call,
  ) => isValidSecret(context, webhook?.id ?? "", secret, call);
  return implement(WebhookService, {
    createWebhook: command(
      decodeCreateWebhook,
      (input, call) => createWebhook(context, input, call),
      ({ webhook, secret }) => ({ webhook: encodeWebhook(webhook), secret }),
      { isSecretValid },
    ),

    async getWebhook({ id }, { workspaceId }) {
      const webhook = requireFound(await stores.endpoints.getSubscription(workspaceId, id), "webhook");
      return { webhook: encodeWebhook(webhook) };
    },

    async listWebhooks(request, { workspaceId }) {
      const found = await stores.endpoints.listSubscriptions(workspaceId, pageRequest(request.page));
      return { webhooks: found.items.map(encodeWebhook), page: pageInfo(found) };
    },

    updateWebhook: command(
      decodeUpdateWebhook,
      (input, call) => updateWebhook(context, input, call),
      (webhook) => ({ webhook: encodeWebhook(webhook) }),
    ),

    rotateWebhookSecret: command(
      decodeRotateSecret,
      (input, call) => rotateWebhookSecret(context, input, call),
      ({ webhook, secret }) => ({ webhook: encodeWebhook(webhook), secret }),
      { isSecretValid },
    ),

    testWebhook: command(
      decodeTestWebhook,
      (input, call) => testWebhook(context, input, call),
      (delivery) => ({ delivery: encodeDelivery(delivery) }),
    ),

    retryDelivery: command(
      decodeRetryDelivery,
      (input, call) => retryDelivery(context, input, call),
      (delivery) => ({ delivery: encodeDelivery(delivery) }),
    ),

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
