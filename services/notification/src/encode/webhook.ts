import {
  type DeliverySchema,
  DeliveryStatus,
  type WebhookSchema,
  WebhookStatus,
} from "@asset-register/proto/assetregister/notification/v1/webhook_pb";
import { encodeInstants, enumNames } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Delivery } from "../domain/webhooks/delivery.ts";
import type { Endpoint } from "../domain/webhooks/endpoint.ts";
import type { AlertMail } from "../store/alerts/mails.ts";

export const webhookStatusNames = enumNames(WebhookStatus);
const deliveryStatusNames = enumNames(DeliveryStatus);

export function encodeWebhook({
  secret: _sealed,
  previousSecret: _previous,
  ...webhook
}: Endpoint): MessageInitShape<typeof WebhookSchema> {
  return { ...encodeInstants(webhook), status: webhookStatusNames.encode(webhook.status) };
}

/** A mail in the log of its rule. */
export function encodeMail(mail: AlertMail): MessageInitShape<typeof DeliverySchema> {
  const { id, type = "alert.raised", to, status, attempts, lastResponseStatus, lastError } = mail;
  const { createdAt, nextAttemptAt } = encodeInstants(mail);
  return {
    ...{ id, messageId: id, type, attempts, lastResponseStatus, lastError, createdAt },
    recipient: to.join(","),
    status: deliveryStatusNames.encode(status),
    nextAttemptAt: status === "pending" ? nextAttemptAt : undefined,
  };
}

export function encodeDelivery(delivery: Delivery): MessageInitShape<typeof DeliverySchema> {
  const { nextAttemptAt, ...encoded } = encodeInstants(delivery);
  return {
    ...encoded,
    status: deliveryStatusNames.encode(delivery.status),
    nextAttemptAt: delivery.status === "pending" ? nextAttemptAt : undefined,
  };
}
