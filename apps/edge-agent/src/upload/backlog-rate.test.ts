import { expect, test } from "vitest";
import { createBacklogRate } from "./backlog-rate.ts";

test("the backlog leaves at its rate", () => {
  const rate = createBacklogRate();
  let now = 100_000;
  let sent = 0;
  for (const end = now + 10_000; now < end; now += 10) {
    if (!rate.isDue(now)) continue;
    rate.sent(1000, now);
    sent += 1000;
  }
  expect(sent).toBeGreaterThanOrEqual(50_000);
  expect(sent).toBeLessThanOrEqual(56_000);
});

test("a 429 halves the rate, several at the same moment once, and successes raise it again", () => {
  const rate = createBacklogRate();
  for (const at of [1000, 1001, 1200]) rate.limited(at);
  expect(rate.perSecond()).toBe(2500);
  rate.limited(2100);
  expect(rate.perSecond()).toBe(1250);
  for (let n = 0; n < 40; n += 1) rate.taken();
  expect(rate.perSecond()).toBeGreaterThan(5000);
});

test("the rate never ends", () => {
  const rate = createBacklogRate();
  for (let second = 0; second < 100; second += 1) rate.limited(second * 1000);
  expect(rate.perSecond()).toBe(100);
});
