import { AlertService } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { BacktestService } from "@asset-register/proto/assetregister/notification/v1/backtest_pb";
import { FeedService } from "@asset-register/proto/assetregister/notification/v1/feed_pb";
import { WebhookService } from "@asset-register/proto/assetregister/notification/v1/webhook_pb";
import { type ErrorCode, ofRpcs } from "./error-code.ts";

/** Codes of alerts, their rules, webhooks and the event feed. */
export const alertCodes: ErrorCode[] = [
  ofRpcs({
    code: "ALERT_RESOLVED",
    status: 409,
    cause: "The alert is resolved. A resolved alert can't be acknowledged any more.",
    cure: "Nothing is left to do.",
    where: "Acknowledging alerts",
    rpcs: [AlertService.method.acknowledgeAlert],
  }),
  ofRpcs({
    code: "BACKTEST_RUNNING",
    status: 409,
    cause: "Another backtest of the workspace is running.",
    cure: "Wait until it is done. Then send the request again, with a new Idempotency-Key if you use one.",
    where: "Trying alert rules on past sightings",
    rpcs: [BacktestService.method.createBacktest],
  }),
  ofRpcs({
    code: "ALERT_RULE_LIMIT_REACHED",
    status: 409,
    cause: "The workspace has 100 alert rules, which is the maximum.",
    cure: "Use one rule with a wider scope instead of several rules.",
    where: "Creating alert rules",
    rpcs: [AlertService.method.createAlertRule],
  }),
  ofRpcs({
    code: "WEBHOOK_LIMIT_REACHED",
    status: 409,
    cause: "The workspace has 20 webhook subscriptions, which is the maximum.",
    cure: "Delete a subscription that you no longer need.",
    where: "Creating webhooks",
    rpcs: [WebhookService.method.createWebhook],
  }),
  ofRpcs({
    code: "WEBHOOK_URL_UNSAFE",
    status: 422,
    cause: "The URL is not an https URL of a public host on port 443 or 8443.",
    cure: "Use the URL of a receiver that can be reached from the internet in this way. `errors` has the problem of the URL.",
    where: "Creating and changing webhooks, and alert rules that send to a webhook",
    rpcs: [
      WebhookService.method.createWebhook,
      WebhookService.method.updateWebhook,
      AlertService.method.createAlertRule,
      AlertService.method.updateAlertRule,
    ],
  }),
  ofRpcs({
    code: "DELIVERY_NOT_FINAL",
    status: 409,
    cause: "The delivery is still pending.",
    cure: "Wait until its status is `delivered` or `failed`. `next_attempt_at` says when it is attempted next.",
    where: "Retrying deliveries of webhooks",
    rpcs: [WebhookService.method.retryDelivery],
  }),
  ofRpcs({
    code: "CURSOR_EXPIRED",
    status: 410,
    cause:
      "The events after this cursor are not kept any more: events are kept for 31 days. Or the service was restored from a backup that does not have the event of the cursor.",
    cure: "Read the records that you need again. Then go on from `latest`, or after the cursor that `errors` names as `oldest_cursor`.",
    where: "Events",
    rpcs: [FeedService.method.listEntries],
  }),
];
