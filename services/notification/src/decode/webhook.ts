import type { CreateWebhookRequest } from "@asset-register/proto/assetregister/notification/v1/webhook_pb";
import { parse } from "@asset-register/rpc";
import { z } from "zod";
import { eventFilters } from "../domain/message.ts";
import type { CreateWebhook } from "../operations/create-webhook.ts";

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
