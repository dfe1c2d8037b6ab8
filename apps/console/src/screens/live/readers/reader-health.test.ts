import { expect, test } from "vitest";
import { everyStep, isSilent, muchSkew } from "./reader-health.ts";

const now = Date.parse("2026-11-26T12:00:00.000Z");
const reader = {
  kind: "fixed_portal",
  status: "active",
  last_seen_at: "2026-11-26T11:50:00.000Z",
  created_at: "2026-11-01T00:00:00.000Z",
  clock_skew_ms: 90_400,
} as const;

test("an active portal that was not heard for 5 minutes and 70 s is silent, others are not", () => {
  expect(isSilent(reader, now)).toBe(true);
  expect(isSilent({ ...reader, last_seen_at: "2026-11-26T11:54:00.000Z" }, now)).toBe(false);
  expect(isSilent({ ...reader, kind: "phone" }, now)).toBe(false);
  expect(isSilent({ ...reader, status: "revoked" }, now)).toBe(false);
});

test("a clock that is off by more than 2 s is worth telling", () => {
  expect(muchSkew(reader)).toBe(90);
  expect(muchSkew({ ...reader, clock_skew_ms: -1_500 })).toBeUndefined();
});

test("steps without reads are zero", () => {
  const row = { at: "2026-11-26T11:59:00.000Z", accepted: 5, rejected: 0, duplicate: 0 };
  const rows = everyStep([row], now - 150_000, now, 60_000);
  expect(rows.map(({ at, accepted }) => [at.slice(11, 16), accepted])).toEqual([
    ["11:58", 0],
    ["11:59", 5],
    ["12:00", 0],
  ]);
});
