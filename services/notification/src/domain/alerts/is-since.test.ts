import { expect, test } from "vitest";
import { isNewFor as isNewForRule } from "../alert-rules/alert-rule.ts";
import { isNewFor as isNewForSubscription } from "../webhooks/endpoint.ts";

const activeSince = new Date("2026-01-01T12:00:00Z");
const before = (ms: number) => new Date(activeSince.getTime() - ms);

test.each([
  ["of a machine whose clock is 10 s behind is news", 10_000, true],
  ["of more than 10 s before a rule or subscription was active is none", 10_001, false],
])("what has the time %s", (_name, ms, isNews) => {
  const condition = { type: "seen_in_zone", zoneId: "zon_1" } as const;
  const active = { activeSince, createdAt: activeSince };
  expect(isNewForRule({ condition, ...active }, { receivedAt: before(ms) })).toBe(isNews);
  expect(isNewForSubscription(active, before(ms))).toBe(isNews);
});
