import { AlertScope } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import {
  BacktestSchema,
  BacktestStatus,
  CreateBacktestRequestSchema,
  SightingKind,
} from "@asset-register/proto/assetregister/notification/v1/backtest_pb";
import { limits } from "@asset-register/proto/limits";
import Type from "typebox";
import { enumOf } from "../http/fields.ts";
import { requestMessage } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import { body, exampleId, id, idOfAny, instant, like, nullable, unset } from "../http/schemas.ts";
import { condition, shownCondition } from "./alert-condition.ts";

const count = (description: string, example = 43) => Type.Integer({ description, examples: [example] });
const subject = Type.String({
  description: "The id of the asset, or `epc:` and the code of an unknown tag",
  examples: ["epc:303435FC8803D056D15B963F"],
});
const cooldown = Type.Integer({ minimum: 0, maximum: limits.cooldownSeconds, examples: [300] });

export const backtest = resource(BacktestSchema, "Backtest", {
  id: id("bkt"),
  status: enumOf(BacktestStatus, "done"),
  progress: Type.Object(
    { done: Type.Integer(), total: Type.Integer() },
    { description: "Days that were read, and all", examples: [{ done: 7, total: 7 }] },
  ),
  rule: Type.Object({
    scope_type: enumOf(AlertScope),
    scope_id: nullable(idOfAny("cat", "zon", "loc", "ast")),
    condition: shownCondition,
    cooldown_seconds: nullable(cooldown),
  }),
  from: instant(),
  to: instant(),
  sightings: count("Sightings that were judged", 12_000),
  alerts: count("Alerts that would have been raised, if people had resolved each at once"),
  spared_by_cooldown: count("Further ones that the cooldown would have spared", 12),
  days: Type.Array(Type.Object({ date: Type.String({ format: "date" }), alerts: Type.Integer() }), {
    description: "The days with alerts, in the time zone of the workspace",
    examples: [[{ date: "2026-02-03", alerts: 43 }]],
  }),
  subjects: Type.Array(Type.Object({ subject, asset_id: nullable(id("ast")), alerts: Type.Integer() }), {
    description: "The 100 with the most alerts, when it is done",
  }),
  first_alerts: Type.Array(
    Type.Object({
      subject,
      asset_id: nullable(id("ast")),
      at: instant(),
      kind: enumOf(SightingKind),
      seen_at: instant("The sighting that raised it, or the last one before a silence"),
      event_id: like("evt_4Z1p"),
      zone_id: nullable(id("zon")),
      reader_id: nullable(id("rdr")),
    }),
    { description: "The first 200 that were found" },
  ),
  as_of_today: Type.Array(Type.Enum(["category", "status", "zones"]), {
    description: "What was taken as it is today, and not as it was then",
    examples: [["category"]],
  }),
  error: unset(Type.Object({ code: like("VALIDATION_FAILED"), message: like("The rule can't be tested.") })),
  created_at: instant(),
  expires_at: instant("When it is removed: after 7 days"),
});

export const newBacktestSchema = body({
  rule: body({
    scope_type: enumOf(AlertScope),
    scope_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: limits.id, examples: [exampleId("cat")] }),
    ),
    condition,
    cooldown_seconds: Type.Optional(cooldown),
  }),
  from: Type.Optional(instant("By default 7 days before `to`. At most 14 days before it")),
  to: Type.Optional(instant("By default now")),
});
export const toNewBacktest = requestMessage(CreateBacktestRequestSchema, newBacktestSchema);
