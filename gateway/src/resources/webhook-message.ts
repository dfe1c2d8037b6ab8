import { eventTypes } from "@asset-register/proto/event-types";
import Type, { type TProperties } from "typebox";
import { exampleId, id, instant, nullable } from "../http/schemas.ts";
import { alertProperties } from "./alert.ts";
import { issuedToType } from "./checkout.ts";

/* The messages that subscriptions get. The pages of the service notification have an example of each. */

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

const number = Type.String({ examples: ["AST-000012"] });
const text = (...examples: string[]) => Type.String({ examples });
const fields = Type.Array(text("name"), {
  description: "Names of the fields that changed, without their values",
});
const actor = Type.Object({ kind: text("user"), id: id("usr") }, { description: "Who did it" });

const asset = { seq, asset_id: id("ast"), number };

const tag = {
  seq,
  tag_id: id("tag"),
  type: text("rfid"),
  asset_id: nullable(id("ast")),
  epc: Type.Optional(text("303435FC8803D056D15B963F")),
  code: Type.Optional(nullable(text("BOX-17"))),
  by: Type.Optional(actor),
};

const session = { seq, session_id: id("sts"), status: nullable(text("open")) };

const variance = {
  ...session,
  variance_id: id("var"),
  asset_id: nullable(id("ast")),
  kind: nullable(text("missing")),
  resolution: nullable(text("written_off")),
};

const workOrder = {
  seq,
  work_order_id: id("wo"),
  asset_id: id("ast"),
  status: nullable(text("in_progress")),
  assigned_to: nullable(id("usr")),
  due_at: nullable(instant()),
};

const contract = { seq, contract_id: id("ctr"), asset_id: id("ast"), status: nullable(text("active")) };

const month = (description: string) =>
  Type.Object(
    { year: Type.Integer({ examples: [2026] }), month: Type.Integer({ examples: [2] }) },
    { description },
  );

const depreciationRun = {
  seq,
  run_id: id("run"),
  book: nullable(text("book")),
  from: month("The month after the last posted run of the book"),
  to: month("The month of the run"),
  lines: Type.Integer({ examples: [480] }),
  skipped: Type.Integer({ description: "Assets without a line", examples: [3] }),
  by: Type.Optional(actor),
};

const reader = { seq, reader_id: id("rdr"), zone_id: nullable(id("zon")) };
const heardReader = { ...reader, last_seen_at: instant("When it was heard last") };

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
  message("asset.created", "AssetCreated", "An asset was created", asset),
  message("asset.updated", "AssetUpdated", "Fields of an asset have changed", { ...asset, fields }),
  message("asset.status_changed", "AssetStatusChanged", "An asset has another status", {
    ...{ ...asset, fields, status_id: id("sta") },
    ...{ status_key: text("in_repair"), status_class: nullable(text("undeployable")) },
  }),
  message("asset.disposed", "AssetDisposed", "An asset was disposed of", {
    ...{ ...asset, date: nullable(text("2026-02-28")), method: nullable(text("sold")) },
  }),
  message("asset.deleted", "AssetDeleted", "An asset was deleted", asset),
  message("tag.commissioned", "TagCommissioned", "A tag was bound to an asset", tag),
  message("tag.decommissioned", "TagDecommissioned", "A tag was freed", tag),
  message("stocktake.opened", "StocktakeOpened", "A stock-take accepts scans", session),
  message("stocktake.reconciled", "StocktakeReconciled", "The variances of a stock-take are known", session),
  message("stocktake.variance_resolved", "StocktakeVarianceResolved", "A variance was decided", variance),
  message("stocktake.closed", "StocktakeClosed", "A stock-take has ended with its result", session),
  message("stocktake.cancelled", "StocktakeCancelled", "A stock-take has ended without a result", session),
  message("work_order.created", "WorkOrderCreated", "A work order was created", workOrder),
  message("work_order.updated", "WorkOrderUpdated", "Fields of a work order have changed", {
    ...{ ...workOrder, fields },
  }),
  message("work_order.status_changed", "WorkOrderStatusChanged", "A work order has another status", {
    ...{ ...workOrder, before: nullable(text("open")) },
  }),
  message("contract.created", "ContractCreated", "A contract was created", contract),
  message("contract.updated", "ContractUpdated", "Fields of a contract have changed", {
    ...contract,
    fields,
  }),
  message("contract.cancelled", "ContractCancelled", "A contract was cancelled", contract),
  message(
    "depreciation_run.posted",
    "DepreciationRunPosted",
    "A depreciation run was posted",
    depreciationRun,
  ),
  message("reader.revoked", "ReaderRevoked", "Signatures of a reader are no longer accepted", reader),
  message("reader.online", "ReaderOnline", "A fixed portal is heard again", heardReader),
  message(
    "reader.offline",
    "ReaderOffline",
    "A fixed portal was not heard for more than 5 minutes",
    heardReader,
  ),
  message("alert.digest", "AlertDigest", "A rule has raised more alerts than it reports one by one", {
    rule_id: id("rul"),
    count: Type.Integer({ examples: [33] }),
    first_at: instant(),
    last_at: instant(),
    alert_ids: Type.Array(id("alr"), { description: "At most 100" }),
  }),
];

/** The event types that a subscription may select, besides all. */
export const subscribableTypes = Object.keys(eventTypes);

/** Each type of message, as it is delivered. */
export const webhookMessages = [
  ...eventMessages,
  message("webhook.test", "WebhookTest", "The test of a subscription, which asked for it", {
    webhook_id: id("whk"),
  }),
];
