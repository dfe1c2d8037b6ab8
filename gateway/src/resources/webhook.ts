import {
  DeliverySchema,
  DeliveryStatus,
  WebhookSchema,
  WebhookStatus,
} from "@asset-register/proto/assetregister/notification/v1/webhook_pb";
import { limits } from "@asset-register/proto/limits";
import Type from "typebox";
import { enumOf } from "../http/fields.ts";
import { requestMessage } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import { body, exampleId, id, instant, like, nullable, rev } from "../http/schemas.ts";
import { webhookMessages } from "./webhook-message.ts";

export const webhook = resource(WebhookSchema, "Webhook", {
  id: id("whk"),
  url: like("https://example.com/hooks/assets"),
  events: Type.Array(like("asset.moved")),
  status: enumOf(WebhookStatus),
  rev,
  created_at: nullable(instant()),
});

/** The answer to a creation. The secret is shown once. */
export const createdWebhookSchema = Type.Object(
  {
    ...webhook.schema.properties,
    secret: Type.String({ examples: ["whsec_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="] }),
  },
  { title: "WebhookWithSecret" },
);

const eventFilters = [...webhookMessages.map(({ type }) => type), "*"];

export const newWebhookSchema = body({
  url: Type.String({
    minLength: 1,
    maxLength: limits.url,
    examples: ["https://example.com/hooks/assets"],
  }),
  events: Type.Array(Type.Enum(eventFilters), { minItems: 1, maxItems: eventFilters.length }),
});

export const toWebhook = requestMessage(WebhookSchema, newWebhookSchema);

/** One line of a subscription's log. */
export const delivery = resource(DeliverySchema, "Delivery", {
  id: id("dlv"),
  message_id: like(exampleId("msg")),
  type: like("asset.moved"),
  status: enumOf(DeliveryStatus),
  attempts: Type.Integer(),
  next_attempt_at: nullable(instant()),
  last_response_status: nullable(Type.Integer()),
  last_error: nullable(like("The receiver answered 503")),
  created_at: nullable(instant()),
});
