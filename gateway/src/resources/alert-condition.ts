import {
  type AlertCondition,
  AlertConditionSchema,
  Weekday,
} from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { limits } from "@asset-register/proto/limits";
import { enumNames } from "@asset-register/rpc";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import Type from "typebox";
import { enumOf } from "../http/fields.ts";
import { body, id } from "../http/schemas.ts";

const weekdays = enumNames(Weekday);

const time = (example: string) =>
  Type.String({
    pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$",
    description: "HH:MM, by the clock of the workspace",
    examples: [example],
  });

/** When a rule fires. */
export const condition = Type.Union(
  [
    body({ type: Type.Literal("seen_in_zone"), zone_id: id("zon") }, { title: "SeenInZone" }),
    body({ type: Type.Literal("left_zone"), zone_id: id("zon") }, { title: "LeftZone" }),
    body(
      { type: Type.Literal("exit_portal_unauthorised"), zone_id: id("zon") },
      { title: "ExitPortalUnauthorised" },
    ),
    body(
      {
        type: Type.Literal("after_hours"),
        open_days: Type.Array(enumOf(Weekday), { minItems: 1, maxItems: 7, examples: [["mon", "tue"]] }),
        open_from: time("08:00"),
        open_to: time("18:00"),
      },
      {
        title: "AfterHours",
        description: "A time after open_to spans midnight: the day is the one on which it begins",
      },
    ),
    body({ type: Type.Literal("unknown_tag") }, { title: "UnknownTag" }),
    body(
      {
        type: Type.Literal("status_mismatch"),
        status_ids: Type.Array(id("sta"), { minItems: 1, maxItems: limits.ruleStatuses }),
      },
      { title: "StatusMismatch" },
    ),
    body(
      {
        type: Type.Literal("not_seen_for"),
        hours: Type.Number({ minimum: 0.01, maximum: 8760, examples: [24] }),
      },
      { title: "NotSeenFor" },
    ),
    body(
      {
        type: Type.Literal("reader_offline"),
        minutes: Type.Integer({ minimum: 1, maximum: 10_080, examples: [15] }),
      },
      { title: "ReaderOffline" },
    ),
  ],
  { title: "AlertCondition" },
);

type Condition = Type.Static<typeof condition>;
type Init = NonNullable<MessageInitShape<typeof AlertConditionSchema>["condition"]>;

export const toCondition = (input: Condition): AlertCondition =>
  create(AlertConditionSchema, { condition: oneofOf(input) });

function oneofOf(input: Condition): Init {
  switch (input.type) {
    case "seen_in_zone":
      return { case: "seenInZone", value: { zoneId: input.zone_id } };
    case "left_zone":
      return { case: "leftZone", value: { zoneId: input.zone_id } };
    case "exit_portal_unauthorised":
      return { case: "exitPortalUnauthorised", value: { zoneId: input.zone_id } };
    case "after_hours": {
      const openDays = input.open_days.flatMap((day) => weekdays.encode(day) ?? []);
      return { case: "afterHours", value: { openDays, openFrom: input.open_from, openTo: input.open_to } };
    }
    case "unknown_tag":
      return { case: "unknownTag", value: {} };
    case "status_mismatch":
      return { case: "statusMismatch", value: { statusIds: input.status_ids } };
    case "not_seen_for":
      return { case: "notSeenFor", value: { hours: input.hours } };
    case "reader_offline":
      return { case: "readerOffline", value: { minutes: input.minutes } };
  }
}

export function presentCondition(given: AlertCondition | undefined): Condition {
  const { case: type, value } = given?.condition ?? { case: undefined };
  switch (type) {
    case "seenInZone":
      return { type: "seen_in_zone", zone_id: value.zoneId };
    case "leftZone":
      return { type: "left_zone", zone_id: value.zoneId };
    case "exitPortalUnauthorised":
      return { type: "exit_portal_unauthorised", zone_id: value.zoneId };
    case "afterHours": {
      const { openFrom: open_from, openTo: open_to } = value;
      return { type: "after_hours", open_days: weekdays.decodeAll(value.openDays), open_from, open_to };
    }
    case "unknownTag":
      return { type: "unknown_tag" };
    case "statusMismatch":
      return { type: "status_mismatch", status_ids: value.statusIds };
    case "notSeenFor":
      return { type: "not_seen_for", hours: value.hours };
    case "readerOffline":
      return { type: "reader_offline", minutes: value.minutes };
    default:
      throw new RangeError("The condition of the alert rule is not known to this release");
  }
}
