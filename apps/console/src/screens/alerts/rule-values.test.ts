import { expect, test } from "vitest";
import { isComplete, type Rule, ruleBodyOf, ruleChangesOf, ruleValuesOf } from "./rule-values.ts";

const rule: Rule = {
  ...{ id: "rul_1", name: "Night", scope_type: "category", scope_id: "cat_1" },
  condition: { type: "after_hours", open_days: ["mon"], open_from: "08:00", open_to: "18:00" },
  ...{ channel: "email", channel_target: "ada@example.com", enabled: true, webhook_status: null },
  ...{ cooldown_seconds: 90, rev: 3, created_at: null },
};

test("a form that was not touched changes nothing of a rule", () =>
  expect(ruleChangesOf(ruleValuesOf(rule), rule)).toEqual({}));

test("a changed rule sends only what differs; the condition as a whole", () => {
  const values = ruleValuesOf(rule);
  expect(ruleChangesOf({ ...values, name: "Day" }, rule)).toEqual({ name: "Day" });
  expect(ruleChangesOf({ ...values, open_days: ["sun", "mon"] }, rule)).toEqual({
    condition: { type: "after_hours", open_days: ["mon", "sun"], open_from: "08:00", open_to: "18:00" },
  });
  expect(ruleChangesOf({ ...values, scope_type: "all" }, rule)).toEqual({
    scope_type: "all",
    scope_id: null,
  });
});

test("a new rule has only the fields of its type and channel", () => {
  const values = { ...ruleValuesOf(), name: " Gate ", zone_id: "zon_1", channel_target: "left over" };
  expect(isComplete(values)).toBe(true);
  expect(ruleBodyOf(values)).toEqual({
    ...{ name: "Gate", scope_type: "all", channel: "inapp", enabled: null, cooldown_seconds: 300 },
    condition: { type: "seen_in_zone", zone_id: "zon_1" },
  });
  expect(isComplete({ ...values, zone_id: null })).toBe(false);
  expect(isComplete({ ...values, scope_type: "asset" })).toBe(false);
});
