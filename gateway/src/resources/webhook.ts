import {
  DeliverySchema,
  DeliveryStatus,
  RotateWebhookSecretRequestSchema,
  WebhookSchema,
  WebhookStatus,
} from "@asset-register/proto/assetregister/notification/v1/webhook_pb";
import { limits } from "@asset-register/proto/limits";
import Type from "typebox";
import { newBody } from "../http/bodies.ts";
import { enumOf } from "../http/fields.ts";
import { mergePatch } from "../http/merge-patch.ts";
import { requestMessage } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import { body, exampleId, id, instant, like, nullable, rev } from "../http/schemas.ts";
import { onlyChanged, required } from "../http/writable.ts";
import { subscribableTypes } from "./webhook-message.ts";

const eventFilters = [...subscribableTypes, "*"];

export const webhook = resource(WebhookSchema, "Webhook", {
  id: id("whk"),
  url: required(
    Type.String({ minLength: 1, maxLength: limits.url, examples: ["https://example.com/hooks/assets"] }),
  ),
  events: required(Type.Array(Type.Enum(eventFilters), { minItems: 1, maxItems: eventFilters.length }), {
    shown: Type.Array(like("asset.moved")),
  }),
  // Setting it to active, or another URL, clears the failures.
  status: onlyChanged(enumOf(WebhookStatus)),
  rev,
  created_at: nullable(instant()),
});

/** The answers that show the secret: to the creation of a subscription and to a rotation. */
export const createdWebhookSchema = Type.Object(
  {
    ...webhook.schema.properties,
    secret: Type.String({ examples: ["whsec_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="] }),
  },
  { title: "WebhookWithSecret" },
);

export const newWebhookSchema = newBody(webhook);
export const toWebhook = requestMessage(WebhookSchema, newWebhookSchema);
export const webhookPatch = mergePatch(webhook);

/** How long the old secret signs too. Of webhooks and of webhook rules. */
export const webhookRotationSchema = body({
  overlap_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.webhookOverlapSeconds })),
});

export const toWebhookRotation = requestMessage(RotateWebhookSecretRequestSchema, webhookRotationSchema);

/** One line of the log of a subscription or an alert rule. */
export const delivery = resource(DeliverySchema, "Delivery", {
  id: id("dlv"),
  message_id: like(exampleId("msg")),
  type: like("asset.moved"),
  status: enumOf(DeliveryStatus),
  attempts: Type.Integer(),
  next_attempt_at: nullable(instant()),
  last_response_status: nullable(Type.Integer({ examples: [503] })),
  last_response_excerpt: nullable(
    Type.String({ description: "The first KiB of the last answer", examples: ["Service Unavailable"] }),
  ),
  last_duration_ms: nullable(
    Type.Integer({
      description: "Until the last attempt got an answer, or ended without one",
      examples: [85],
    }),
  ),
  last_error: nullable(like("The receiver answered 503")),
  recipient: nullable(Type.String({ description: "The address of a mail", examples: ["ada@example.com"] })),
  created_at: nullable(instant()),
});
