import { AlertConditionSchema } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import type { Condition } from "../domain/alert-rules/condition.ts";
import { conditionTypes } from "../domain/alert-rules/condition-types.ts";
import { encodeCondition } from "../encode/condition.ts";
import { condition, conditionInput } from "./condition.ts";

const samples: { [T in Condition["type"]]: Extract<Condition, { type: T }> } = {
  seen_in_zone: { type: "seen_in_zone", zoneId: "zon_1" },
  left_zone: { type: "left_zone", zoneId: "zon_1" },
  exit_portal_unauthorised: { type: "exit_portal_unauthorised", zoneId: "zon_1" },
  after_hours: { type: "after_hours", openDays: ["mon", "sun"], openFrom: "08:00", openTo: "18:00" },
  unknown_tag: { type: "unknown_tag" },
  tag_cloned: { type: "tag_cloned" },
  status_mismatch: { type: "status_mismatch", statusIds: ["sta_1"] },
  not_seen_for: { type: "not_seen_for", hours: 0.5 },
  reader_offline: { type: "reader_offline", minutes: 15 },
  reader_degraded: { type: "reader_degraded", minutes: 15, reasons: ["blind", "clock_skew"] },
};

test.each(Object.values(samples))("a condition $type is the same after encoding and decoding", (sample) => {
  const message = create(AlertConditionSchema, encodeCondition(sample));
  expect(condition.parse(conditionInput(message))).toEqual(sample);
});

test("each case of the proto has a type, and each type a case", () => {
  expect(AlertConditionSchema.fields.map(({ name }) => name).sort()).toEqual(
    Object.keys(conditionTypes).sort(),
  );
});

test("a condition that only a newer release knows has no input, and an unknown day is refused", () => {
  expect(conditionInput(create(AlertConditionSchema))).toBeUndefined();
  const value = { openDays: [99], openFrom: "08:00", openTo: "18:00" };
  const message = create(AlertConditionSchema, { condition: { case: "afterHours", value } });
  expect(condition.safeParse(conditionInput(message)).error?.issues).toMatchObject([
    { path: ["openDays", 0], message: "must be one of mon, tue, wed, thu, fri, sat, sun" },
  ]);
});
