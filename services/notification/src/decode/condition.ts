import type { AlertCondition } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { limits } from "@asset-register/proto/limits";
import { field } from "@asset-register/rpc";
import { z } from "zod";
import type { Condition } from "../domain/condition.ts";
import { weekdayNames } from "../encode/alert.ts";

const time = () => z.string("is required").regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time HH:MM");

const openingHours = z
  .object({
    type: z.literal("after_hours"),
    openDays: z
      .array(field.enum(weekdayNames))
      .min(1, "must name at least one day")
      .transform((days) => [...new Set(days)]),
    openFrom: time(),
    openTo: time(),
  })
  .refine(({ openFrom, openTo }) => openFrom !== openTo, {
    path: ["openTo"],
    message: "must not be the same as open_from",
  });

const types = [
  "seen_in_zone",
  "left_zone",
  "exit_portal_unauthorised",
  "after_hours",
  "unknown_tag",
  "status_mismatch",
  "not_seen_for",
  "reader_offline",
] as const;

export const condition = z.discriminatedUnion(
  "type",
  [
    z.object({ type: z.enum(["seen_in_zone", "left_zone", "exit_portal_unauthorised"]), zoneId: field.id() }),
    openingHours,
    z.object({ type: z.literal("unknown_tag") }),
    z.object({
      type: z.literal("status_mismatch"),
      statusIds: z
        .array(field.id())
        .min(1, "must name at least one status")
        .max(limits.ruleStatuses, `must name at most ${limits.ruleStatuses} statuses`)
        .transform((ids) => [...new Set(ids)]),
    }),
    z.object({
      type: z.literal("not_seen_for"),
      hours: z.number().min(0.01, "must be at least 0.01").max(8760, "must be at most 8760"),
    }),
    z.object({ type: z.literal("reader_offline"), minutes: field.integer({ min: 1, max: 10_080 }) }),
  ],
  `must be one of ${types.join(", ")}`,
) satisfies z.ZodType<Condition, unknown>;

/** The input of `condition`. Undefined for a condition that only a newer release knows. */
export function conditionInput(message: AlertCondition | undefined): object | undefined {
  const { case: type, value } = message?.condition ?? { case: undefined };
  switch (type) {
    case "seenInZone":
      return { type: "seen_in_zone", zoneId: value.zoneId };
    case "leftZone":
      return { type: "left_zone", zoneId: value.zoneId };
    case "exitPortalUnauthorised":
      return { type: "exit_portal_unauthorised", zoneId: value.zoneId };
    case "unknownTag":
      return { type: "unknown_tag" };
    case "afterHours":
      return { ...value, type: "after_hours" };
    case "statusMismatch":
      return { type: "status_mismatch", statusIds: value.statusIds };
    case "notSeenFor":
      return { type: "not_seen_for", hours: value.hours };
    case "readerOffline":
      return { type: "reader_offline", minutes: value.minutes };
    default:
      return undefined;
  }
}
