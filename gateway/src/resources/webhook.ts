import {
  type Delivery,
  DeliveryStatus,
  type Webhook,
  WebhookStatus,
} from "@asset-register/proto/assetregister/notification/v1/webhook_pb";
import Type from "typebox";
import { orNull, presentInstant } from "../http/present.ts";
import { exampleId, id, instant, like, nullable, rev } from "../http/schemas.ts";
import { wireEnum } from "../http/wire-enum.ts";

const EVENT_TYPES = [
  "asset.moved",
  "checkout.created",
  "checkout.returned",
  "alert.raised",
  "alert.acknowledged",
  "alert.resolved",
  "*",
] as const;

export const eventTypes = Type.Array(Type.Enum(EVENT_TYPES), { minItems: 1, maxItems: EVENT_TYPES.length });

const webhookStatus = wireEnum({ active: WebhookStatus.ACTIVE, disabled: WebhookStatus.DISABLED });

export const webhookSchema = Type.Object(
  {
    id: id("whk"),
    url: like("https://example.com/hooks/assets"),
    events: Type.Array(like("asset.moved")),
    status: webhookStatus.schema,
    rev,
    created_at: nullable(instant()),
  },
  { title: "Webhook" },
);

/** Shown once, when the subscription is made. */
export const webhookWithSecretSchema = Type.Object(
  {
    ...webhookSchema.properties,
    secret: Type.String({ examples: ["whsec_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="] }),
  },
  { title: "WebhookWithSecret" },
);

/** A subscription as surface A shows it. */
export function presentWebhook(webhook: Webhook): Type.Static<typeof webhookSchema> {
  return {
    id: webhook.id,
    url: webhook.url,
    events: webhook.events,
    status: webhookStatus.name(webhook.status),
    rev: webhook.rev,
    created_at: presentInstant(webhook.createdAt),
  };
}

const deliveryStatus = wireEnum({
  pending: DeliveryStatus.PENDING,
  delivered: DeliveryStatus.DELIVERED,
  failed: DeliveryStatus.FAILED,
});

export const deliverySchema = Type.Object(
  {
    id: id("dlv"),
    message_id: like(exampleId("msg")),
    type: like("asset.moved"),
    status: deliveryStatus.schema,
    attempts: Type.Integer(),
    next_attempt_at: nullable(instant()),
    last_response_status: nullable(Type.Integer()),
    last_error: nullable(like("The receiver answered 503")),
    created_at: nullable(instant()),
  },
  { title: "Delivery" },
);

/** One line of a subscription's log. */
export function presentDelivery(delivery: Delivery): Type.Static<typeof deliverySchema> {
  return {
    id: delivery.id,
    message_id: delivery.messageId,
    type: delivery.type,
    status: deliveryStatus.name(delivery.status),
    attempts: delivery.attempts,
    next_attempt_at: presentInstant(delivery.nextAttemptAt),
    last_response_status: delivery.lastResponseStatus || null,
    last_error: orNull(delivery.lastError),
    created_at: presentInstant(delivery.createdAt),
  };
}
