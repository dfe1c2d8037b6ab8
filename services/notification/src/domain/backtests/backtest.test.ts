import { expect, test } from "vitest";
import type { Condition } from "../alert-rules/condition.ts";
import { asOfToday, readFrom, requireTestable, spanOf } from "./backtest.ts";

const NOW = new Date("2026-03-01T00:00:00Z");
const day = (text: string) => new Date(`${text}T00:00:00Z`);

test("without a time, the last 7 days are judged", () => {
  expect(spanOf({}, NOW)).toEqual({ from: day("2026-02-22"), to: NOW });
  expect(spanOf({ to: day("2026-02-10") }, NOW)).toEqual({ from: day("2026-02-03"), to: day("2026-02-10") });
});

test("a time in the future, the wrong way round, of more than 14 days or older than the sightings is refused", () => {
  const cases: [{ from?: Date; to?: Date }, string][] = [
    [{ to: day("2026-03-02") }, "to"],
    [{ from: NOW }, "from"],
    [{ from: day("2026-02-14") }, "from"],
    [{ from: day("2025-11-30"), to: day("2025-12-01") }, "from"],
  ];
  for (const [asked, field] of cases) {
    expect(() => spanOf(asked, NOW)).toThrow(
      expect.objectContaining({ violations: [{ field, message: expect.any(String) }] }),
    );
  }
});

test("a silence is read from before the time, as far back as it is long", () => {
  const rule = {
    scopeType: "all",
    condition: { type: "not_seen_for", hours: 24 },
    cooldownSeconds: 0,
  } as const;
  expect(readFrom({ rule, from: day("2026-02-22"), createdAt: NOW })).toEqual(
    new Date("2026-02-20T23:58:50Z"),
  );
  const long = { ...rule, condition: { type: "not_seen_for", hours: 8760 } } as const;
  expect(readFrom({ rule: long, from: day("2026-02-22"), createdAt: NOW })).toEqual(day("2025-12-01"));
});

test.each<Condition>([
  { type: "reader_offline", minutes: 5 },
  { type: "reader_degraded", minutes: 5, reasons: [] },
])("a rule about readers can't be tested: $type", (condition) => {
  const rule = { scopeType: "all", condition, cooldownSeconds: 0 } as const;
  expect(() => requireTestable(rule)).toThrow(
    expect.objectContaining({ violations: [expect.objectContaining({ field: "rule.condition.type" })] }),
  );
});

test("a backtest names what it takes as it is today", () => {
  const base = { scopeType: "all", cooldownSeconds: 0 } as const;
  expect(asOfToday({ ...base, condition: { type: "unknown_tag" } })).toEqual([]);
  expect(
    asOfToday({ ...base, scopeType: "category", condition: { type: "status_mismatch", statusIds: [] } }),
  ).toEqual(["category", "status"]);
  expect(asOfToday({ ...base, condition: { type: "exit_portal_unauthorised", zoneId: "zon_1" } })).toEqual([
    "zones",
  ]);
});
