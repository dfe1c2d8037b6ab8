import Type, { type TProperties } from "typebox";
import { exampleId, id, instant, nullable } from "../http/schemas.ts";
import { alertProperties } from "./alert.ts";
import { issuedToType } from "./checkout.ts";

/* The messages that subscriptions get. The README of the service notification has an example of each. */

const seq = Type.Integer({ description: "Orders what concerns one asset or one alert", examples: [7] });
const place = (description: string) =>
  Type.Object({ location_id: nullable(id("loc")), custodian_id: nullable(id("cus")) }, { description });

const moved = {
  seq,
  asset_id: id("ast"),
  movement_id: id("mov"),
  from: place("Where it was"),
  to: place("Where it is"),
  reason: nullable(Type.String({ examples: ["transfer"] })),
  ref: nullable(Type.String({ examples: ["TR-2026-014"] })),
  at: instant(),
  by: Type.Object(
    { kind: Type.String({ examples: ["user"] }), id: id("usr") },
    { description: "Who did it" },
  ),
};

const checkout = {
  seq,
  asset_id: id("ast"),
  checkout_id: id("chk"),
  issued_to: Type.Object({ type: issuedToType, id: nullable(id("cus")) }),
  issued_at: instant(),
  due_at: nullable(instant()),
};

const returned = {
  ...checkout,
  returned_at: nullable(instant()),
  returned_late: Type.Boolean(),
  condition_in: nullable(Type.String({ examples: ["good"] })),
  needs_inspection: Type.Boolean(),
};

const alert = {
  seq,
  alert_id: id("alr"),
  ...alertProperties,
  first_at: instant(),
  last_at: instant(),
};

const message = (type: string, title: string, summary: string, data: TProperties) => ({
  type,
  title,
  summary,
  schema: Type.Object(
    {
      id: Type.String({
        description: "The same on every attempt and for every receiver",
        examples: [exampleId("msg")],
      }),
      type: Type.Literal(type),
      timestamp: instant("When it happened"),
      workspace_id: id("wsp"),
      data: Type.Object(data),
    },
    { title },
  ),
});

/** Each type that a subscription may ask for, as it is delivered. */
const eventMessages = [
  message("asset.moved", "AssetMoved", "An asset's location or custodian has changed", moved),
  message("checkout.created", "CheckoutCreated", "An asset was issued", {
    ...checkout,
    condition_out: nullable(Type.String({ examples: ["good"] })),
  }),
  message("checkout.returned", "CheckoutReturned", "An asset came back", returned),
  message("alert.raised", "AlertRaised", "A rule has raised an alert", alert),
  message("alert.acknowledged", "AlertAcknowledged", "Somebody looks after an alert", alert),
  message("alert.resolved", "AlertResolved", "An alert is over", alert),
  message("alert.digest", "AlertDigest", "A rule has raised more alerts than it reports one by one", {
    rule_id: id("rul"),
    count: Type.Integer({ examples: [33] }),
    first_at: instant(),
    last_at: instant(),
    alert_ids: Type.Array(id("alr"), { description: "At most 100" }),
  }),
];

export const subscribableTypes = eventMessages.map(({ type }) => type);

/** Each type of message, as it is delivered. */
export const webhookMessages = [
  ...eventMessages,
  message("webhook.test", "WebhookTest", "The test of a subscription, which asked for it", {
    webhook_id: id("whk"),
  }),
];
