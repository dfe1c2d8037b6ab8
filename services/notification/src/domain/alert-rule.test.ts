import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AlertRule, type Condition, meaningOf, needsPlace, type Scope } from "./alert-rule.ts";
import type { Sighting } from "./sighting.ts";

const at = new Date("2026-01-01T00:00:00.000Z");

const rule = (condition: Condition, scope: Scope = { scopeType: "all" }): AlertRule => ({
  id: "rul_1",
  workspaceId: "wsp_1",
  name: "Gate",
  ...scope,
  condition,
  channel: "inapp",
  enabled: true,
  cooldownSeconds: 300,
  createdAt: at,
  rev: 1,
});

const sighting = (change: Partial<Sighting>): Sighting => ({
  kind: "arrived",
  epc: "E1",
  assetId: "ast_1",
  at,
  receivedAt: at,
  order: { epoch: 0, sequence: 1 },
  ...change,
});

const unknown = (change: Partial<Sighting>): Sighting => {
  const { assetId: _none, ...rest } = sighting({ kind: "unknown_tag", ...change });
  return rest;
};

const seenInGate: Condition = { type: "seen_in_zone", zoneId: "zon_gate" };
const leftGate: Condition = { type: "left_zone", zoneId: "zon_gate" };

describe("seen_in_zone", () => {
  test.each(["arrived", "moved", "seen"] as const)(
    "fires for a sighting of the kind %s in the zone",
    (kind) => {
      expect(meaningOf(rule(seenInGate), sighting({ kind, zoneId: "zon_gate" }), undefined)).toBe("fires");
    },
  );

  test("fires for an unknown tag that is read in the zone", () => {
    expect(meaningOf(rule(seenInGate), unknown({ zoneId: "zon_gate" }), undefined)).toBe("fires");
  });

  test("does not fire for a read in another zone, nor when a tag leaves the zone", () => {
    expect(meaningOf(rule(seenInGate), sighting({ zoneId: "zon_b" }), undefined)).toBeUndefined();
    const left = sighting({ kind: "left", zoneId: "zon_gate", fromZoneId: "zon_gate" });
    expect(meaningOf(rule(seenInGate), left, undefined)).toBeUndefined();
  });
});

describe("left_zone", () => {
  test("fires when a tag falls silent in the zone and when it moves to another zone", () => {
    const left = sighting({ kind: "left", fromZoneId: "zon_gate", zoneId: "zon_gate" });
    expect(meaningOf(rule(leftGate), left, undefined)).toBe("fires");
    const moved = sighting({ kind: "moved", fromZoneId: "zon_gate", zoneId: "zon_b" });
    expect(meaningOf(rule(leftGate), moved, undefined)).toBe("fires");
  });

  test.each(["arrived", "moved", "seen"] as const)(
    "ends with a sighting of the kind %s in the zone",
    (kind) => {
      const back = sighting({ kind, zoneId: "zon_gate", fromZoneId: "zon_b" });
      expect(meaningOf(rule(leftGate), back, undefined)).toBe("ends");
    },
  );

  test("ends in any scope, because the asset may have been moved meanwhile", () => {
    const back = sighting({ zoneId: "zon_gate" });
    for (const scopeType of ["location", "category", "zone"] as const) {
      const scoped = rule(leftGate, { scopeType, scopeId: "elsewhere" });
      expect(meaningOf(scoped, back, { locationId: "loc_new" })).toBe("ends");
    }
  });

  test("does not fire when a tag leaves another zone", () => {
    const moved = sighting({ kind: "moved", fromZoneId: "zon_a", zoneId: "zon_b" });
    expect(meaningOf(rule(leftGate), moved, undefined)).toBeUndefined();
  });
});

describe("unknown_tag", () => {
  test("fires only for tags that are bound to no asset", () => {
    expect(meaningOf(rule({ type: "unknown_tag" }), unknown({}), undefined)).toBe("fires");
    expect(meaningOf(rule({ type: "unknown_tag" }), sighting({}), undefined)).toBeUndefined();
  });
});

describe("scope", () => {
  const inGate = sighting({ zoneId: "zon_gate", locationId: "loc_read" });
  const place = { categoryId: "cat_1", locationId: "loc_home" };
  test.each<[Scope, boolean]>([
    [{ scopeType: "all" }, true],
    [{ scopeType: "zone", scopeId: "zon_gate" }, true],
    [{ scopeType: "zone", scopeId: "zon_b" }, false],
    [{ scopeType: "location", scopeId: "loc_home" }, true],
    [{ scopeType: "location", scopeId: "loc_read" }, false],
    [{ scopeType: "category", scopeId: "cat_1" }, true],
    [{ scopeType: "category", scopeId: "cat_2" }, false],
    [{ scopeType: "asset", scopeId: "ast_1" }, true],
    [{ scopeType: "asset", scopeId: "ast_2" }, false],
  ])("%j includes the asset: %s", (scope, expected) => {
    expect(meaningOf(rule(seenInGate, scope), inGate, place)).toBe(expected ? "fires" : undefined);
  });

  test("the scope zone includes the zone that a tag left", () => {
    const left = sighting({ kind: "left", fromZoneId: "zon_gate" });
    expect(meaningOf(rule(leftGate, { scopeType: "zone", scopeId: "zon_gate" }), left, undefined)).toBe(
      "fires",
    );
  });

  test("the location of an unknown tag is where it was read", () => {
    const scope: Scope = { scopeType: "location", scopeId: "loc_read" };
    expect(
      meaningOf(rule({ type: "unknown_tag" }, scope), unknown({ locationId: "loc_read" }), undefined),
    ).toBe("fires");
  });

  test("an asset whose place is not known is in no location or category", () => {
    for (const scope of [
      { scopeType: "location", scopeId: "loc_home" },
      { scopeType: "category", scopeId: "cat_1" },
    ] as const) {
      expect(needsPlace(scope)).toBe(true);
      expect(meaningOf(rule(seenInGate, scope), inGate, undefined)).toBeUndefined();
    }
  });

  test("a scope only narrows: a rule that fires in it also fires for all", () => {
    const ids = fc.constantFrom("zon_gate", "zon_b", "loc_home", "cat_1", "ast_1");
    const scopes = fc.record({
      scopeType: fc.constantFrom("zone", "location", "category", "asset"),
      scopeId: ids,
    });
    const sightings = fc.record({
      kind: fc.constantFrom("arrived", "left", "moved", "seen", "unknown_tag"),
      zoneId: ids,
      fromZoneId: ids,
    });
    fc.assert(
      fc.property(scopes, sightings, fc.constantFrom(seenInGate, leftGate), (scope, change, condition) => {
        const narrow = meaningOf(rule(condition, scope), sighting(change), place);
        if (narrow !== undefined) expect(narrow).toBe(meaningOf(rule(condition), sighting(change), place));
      }),
    );
  });
});
