import fc from "fast-check";
import { expect, test } from "vitest";
import { type Alert, raise, resolve } from "../alerts/alert.ts";
import type { Sighting } from "../alerts/sighting.ts";
import { type AlertRule, isNewFor, meaningOf } from "./alert-rule.ts";
import type { Condition } from "./condition.ts";
import { reasonAgainst, reasonByAlert } from "./reason-against.ts";

const start = new Date("2026-01-01T00:00:00.000Z").getTime();
const minute = (n: number): Date => new Date(start + n * 60_000);

const rule: AlertRule = {
  ...{ id: "rul_1", workspaceId: "wsp_1", name: "Gate", scopeType: "all" },
  ...{ condition: { type: "seen_in_zone", zoneId: "zon_1" }, channel: "inapp", enabled: true },
  ...{ cooldownSeconds: 300, createdAt: minute(0), rev: 1, version: 1 },
};

const sighting: Sighting = {
  ...{ id: "msg_1", kind: "arrived", epc: "E1", assetId: "ast_1", zoneId: "zon_1" },
  ...{ at: minute(1), receivedAt: minute(1), order: { epoch: 0, sequence: 1 } },
};

const facts = { asset: { locationId: "loc_1", statusId: "sta_1" }, timeZone: "UTC" };

const zones = fc.constantFrom("zon_1", "zon_2", undefined);
const conditions = fc.constantFrom<Condition>(
  { type: "seen_in_zone", zoneId: "zon_1" },
  { type: "left_zone", zoneId: "zon_1" },
  { type: "exit_portal_unauthorised", zoneId: "zon_1" },
  { type: "after_hours", openDays: ["thu"], openFrom: "09:00", openTo: "17:00" },
  { type: "unknown_tag" },
  { type: "tag_cloned" },
  { type: "status_mismatch", statusIds: ["sta_1"] },
  { type: "not_seen_for", hours: 1 },
  { type: "reader_offline", minutes: 5 },
);

test("there is a reason against an alert exactly if the rule does not fire, for all conditions, scopes and times", () => {
  const scopes = fc.record({
    scopeType: fc.constantFrom("all", "zone", "location", "category", "asset"),
    scopeId: fc.constantFrom("zon_1", "loc_1", "ast_1", "cat_1"),
  });
  const reads = fc.record({
    kind: fc.constantFrom("arrived", "left", "moved", "seen", "unknown_tag", "cloned"),
    zoneId: zones,
    fromZoneId: zones,
    assetId: fc.constantFrom("ast_1", undefined),
    unconfirmed: fc.constantFrom(true as const, undefined),
    reason: fc.constantFrom("reader_gone" as const, undefined),
    at: fc.integer({ min: -20, max: 60 }).map(minute),
  });
  fc.assert(
    fc.property(conditions, scopes, reads, fc.nat(30), (condition, scope, read, late) => {
      const own: AlertRule = { ...rule, ...scope, condition };
      const seen: Sighting = {
        ...sighting,
        ...read,
        receivedAt: new Date(read.at.getTime() + late * 60_000),
      };
      const fires = isNewFor(own, seen) && meaningOf(own, seen, facts) === "fires";
      expect(reasonAgainst(own, seen, facts) === undefined).toBe(fires);
    }),
  );
});

test.each<[string, Partial<AlertRule>, Partial<Sighting>, string]>([
  ["a sighting that came late", {}, { receivedAt: minute(13) }, "received 12 minutes after its time"],
  ["an unconfirmed read", {}, { kind: "seen", unconfirmed: true }, "kind seen by an unconfirmed read"],
  [
    "a tag whose readers are gone",
    { condition: { type: "left_zone", zoneId: "zon_1" } },
    { kind: "left", fromZoneId: "zon_1", reason: "reader_gone" },
    "No reader was left",
  ],
  [
    "another zone",
    {},
    { zoneId: "zon_2" },
    "condition is not met: seen_in_zone zon_1. The sighting: kind arrived, zone zon_2.",
  ],
  [
    "another location",
    { scopeType: "location", scopeId: "loc_2" },
    {},
    "scope of the rule: location loc_2. The sighting: zone zon_1, location loc_1",
  ],
  [
    "another status",
    { condition: { type: "status_mismatch", statusIds: ["sta_2"] } },
    {},
    "status of the asset sta_1",
  ],
  [
    "a rule that was enabled later",
    { activeSince: minute(5) },
    {},
    "before the rule became active at 2026-01-01T00:05",
  ],
  ["a rule about silence", { condition: { type: "not_seen_for", hours: 1 } }, {}, "about silence"],
])("the reason names what is against an alert: %s", (_name, change, read, reason) => {
  expect(reasonAgainst({ ...rule, ...change }, { ...sighting, ...read }, facts)).toContain(reason);
});

test("an alert that is open, one that was resolved a minute ago and one that is as new as the sighting are reasons; without one there is none", () => {
  const open: Alert = raise(rule, { ...sighting, order: { epoch: 0, sequence: 0 } }, "alr_1");
  const resolved = resolve(open, minute(0), { kind: "user", id: "usr_1" });
  expect(reasonByAlert(rule, sighting, undefined)).toBeUndefined();
  expect(reasonByAlert(rule, sighting, open)).toContain("Alert alr_1 is open since");
  expect(reasonByAlert(rule, sighting, resolved)).toContain("Nothing is raised for 300 s after it");
  expect(reasonByAlert({ ...rule, cooldownSeconds: 30 }, sighting, resolved)).toBeUndefined();
  expect(reasonByAlert(rule, sighting, { ...open, order: sighting.order })).toContain("applied before");
});
