import { expect, test } from "vitest";
import { type Condition, conditionText, silenceOf } from "./condition.ts";
import { conditionTypes } from "./condition-types.ts";

test.each(Object.entries(conditionTypes))(
  "the type %s has its own name in its conditions",
  (type, { schema }) => {
    expect(schema.shape.type.value).toBe(type);
  },
);

test("silence has 70 s more than the rule, since its events are published once a minute", () => {
  expect(silenceOf({ type: "not_seen_for", hours: 0.01 })).toBe(106_000);
  expect(silenceOf({ type: "reader_offline", minutes: 1 })).toBe(130_000);
  expect(silenceOf({ type: "unknown_tag" })).toBeUndefined();
  // Its events say since when it is degraded.
  expect(silenceOf({ type: "reader_degraded", minutes: 1, reasons: [] })).toBe(60_000);
});

test.each<[Condition, string]>([
  [{ type: "seen_in_zone", zoneId: "zon_1" }, "seen_in_zone zon_1"],
  [{ type: "unknown_tag" }, "unknown_tag"],
  [{ type: "reader_degraded", minutes: 5, reasons: [] }, "reader_degraded 5"],
  [
    { type: "reader_degraded", minutes: 5, reasons: ["blind", "rejected"] },
    "reader_degraded 5 blind,rejected",
  ],
  [{ type: "status_mismatch", statusIds: ["sta_1", "sta_2"] }, "status_mismatch sta_1,sta_2"],
  [
    { type: "after_hours", openDays: ["fri"], openFrom: "22:00", openTo: "06:00" },
    "after_hours fri 22:00 06:00",
  ],
])("the text of %j", (condition, text) => {
  expect(conditionText(condition)).toBe(text);
});
