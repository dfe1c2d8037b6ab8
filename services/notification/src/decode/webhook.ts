import type { RotateAlertRuleSecretRequest } from "@asset-register/proto/assetregister/notification/v1/alert_rule_receiver_pb";
import type {
  CreateWebhookRequest,
  RetryDeliveryRequest,
  RotateWebhookSecretRequest,
  TestWebhookRequest,
  UpdateWebhookRequest,
} from "@asset-register/proto/assetregister/notification/v1/webhook_pb";
import { limits } from "@asset-register/proto/limits";
import { field, parse, parsePatch } from "@asset-register/rpc";
import { z } from "zod";
import { eventFilters } from "../domain/webhooks/message.ts";
import { webhookStatusNames } from "../encode/webhook.ts";
import type { CreateWebhook } from "../operations/webhooks/create-webhook.ts";
import type { RetryDelivery } from "../operations/webhooks/retry-delivery.ts";
import type { RotateSecret } from "../operations/webhooks/rotate-webhook-secret.ts";
import type { TestWebhook } from "../operations/webhooks/test-webhook.ts";
import type { UpdateWebhook } from "../operations/webhooks/update-webhook.ts";

const newWebhook = z.object({
  // As it was sent: the rules of URLs are the domain's.
  url: z.string("is required").min(1, "is required"),
  events: z
    .array(z.enum(eventFilters, `must be one of ${eventFilters.join(", ")}`), "is required")
    .min(1, "must name at least one type")
    .transform((events) => [...new Set(events)]),
});

export function decodeCreateWebhook({ webhook }: CreateWebhookRequest): CreateWebhook {
  return parse(newWebhook, webhook ?? {});
}

const change = newWebhook.extend({ status: field.enum(webhookStatusNames) });
const oneRecord = z.object({ id: field.id(), ifRevIn: z.array(z.number()) });

export function decodeUpdateWebhook({ webhook, updateMask, ifRevIn }: UpdateWebhookRequest): UpdateWebhook {
  const { id } = parse(oneRecord, { id: webhook?.id, ifRevIn });
  return { id, ifRevIn, change: parsePatch(change, webhook, updateMask) };
}

const rotation = oneRecord.extend({
  overlapSeconds: field.integer({ max: limits.webhookOverlapSeconds }).optional(),
});

export function decodeRotateSecret(
  request: RotateWebhookSecretRequest | RotateAlertRuleSecretRequest,
): RotateSecret {
  return parse(rotation, request);
}

export function decodeTestWebhook(request: TestWebhookRequest): TestWebhook {
  return parse(oneRecord, request);
}

export function decodeRetryDelivery(request: RetryDeliveryRequest): RetryDelivery {
  return parse(oneRecord.extend({ webhookId: field.id() }), request);
}
