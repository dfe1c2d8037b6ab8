import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AlertRule, type Condition, meaningOf, needsPlace, type Scope } from "./alert-rule.ts";
import type { Sighting } from "./sighting.ts";

const at = new Date("2026-01-01T00:00:00.000Z");

const rule = (condition: Condition, scope: Scope = { type: "all" }): AlertRule => ({
  id: "rul_1",
  workspaceId: "wsp_1",
  name: "Gate",
  scope,
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
  test.each(["arrived", "moved", "seen"] as const)("fires when a tag %s there", (kind) => {
    expect(meaningOf(rule(seenInGate), sighting({ kind, zoneId: "zon_gate" }), undefined)).toBe("fires");
  });

  test("fires for an unknown tag that is read there", () => {
    expect(meaningOf(rule(seenInGate), unknown({ zoneId: "zon_gate" }), undefined)).toBe("fires");
  });

  test("says nothing of other zones, nor of leaving", () => {
    expect(meaningOf(rule(seenInGate), sighting({ zoneId: "zon_b" }), undefined)).toBeUndefined();
    const left = sighting({ kind: "left", zoneId: "zon_gate", fromZoneId: "zon_gate" });
    expect(meaningOf(rule(seenInGate), left, undefined)).toBeUndefined();
  });
});

describe("left_zone", () => {
  test("fires on silence and on a move elsewhere", () => {
    const left = sighting({ kind: "left", fromZoneId: "zon_gate", zoneId: "zon_gate" });
    expect(meaningOf(rule(leftGate), left, undefined)).toBe("fires");
    const moved = sighting({ kind: "moved", fromZoneId: "zon_gate", zoneId: "zon_b" });
    expect(meaningOf(rule(leftGate), moved, undefined)).toBe("fires");
  });

  test.each(["arrived", "moved", "seen"] as const)("ends when the tag is %s there again", (kind) => {
    const back = sighting({ kind, zoneId: "zon_gate", fromZoneId: "zon_b" });
    expect(meaningOf(rule(leftGate), back, undefined)).toBe("ends");
  });

  test("ends whatever the scope: the asset may have been moved since", () => {
    const back = sighting({ zoneId: "zon_gate" });
    for (const type of ["location", "category", "zone"] as const) {
      expect(meaningOf(rule(leftGate, { type, id: "elsewhere" }), back, { locationId: "loc_new" })).toBe(
        "ends",
      );
    }
  });

  test("says nothing when a tag leaves another zone", () => {
    const moved = sighting({ kind: "moved", fromZoneId: "zon_a", zoneId: "zon_b" });
    expect(meaningOf(rule(leftGate), moved, undefined)).toBeUndefined();
  });
});

describe("unknown_tag", () => {
  test("fires for tags that are bound to nothing, only", () => {
    expect(meaningOf(rule({ type: "unknown_tag" }), unknown({}), undefined)).toBe("fires");
    expect(meaningOf(rule({ type: "unknown_tag" }), sighting({}), undefined)).toBeUndefined();
  });
});

describe("scope", () => {
  const inGate = sighting({ zoneId: "zon_gate", locationId: "loc_read" });
  const place = { categoryId: "cat_1", locationId: "loc_home" };
  test.each<[Scope, boolean]>([
    [{ type: "all" }, true],
    [{ type: "zone", id: "zon_gate" }, true],
    [{ type: "zone", id: "zon_b" }, false],
    [{ type: "location", id: "loc_home" }, true],
    [{ type: "location", id: "loc_read" }, false],
    [{ type: "category", id: "cat_1" }, true],
    [{ type: "category", id: "cat_2" }, false],
    [{ type: "asset", id: "ast_1" }, true],
    [{ type: "asset", id: "ast_2" }, false],
  ])("%j lets an asset in: %s", (scope, expected) => {
    expect(meaningOf(rule(seenInGate, scope), inGate, place)).toBe(expected ? "fires" : undefined);
  });

  test("zone covers the zone that a tag left", () => {
    const left = sighting({ kind: "left", fromZoneId: "zon_gate" });
    expect(meaningOf(rule(leftGate, { type: "zone", id: "zon_gate" }), left, undefined)).toBe("fires");
  });

  test("location of an unknown tag is where it was read", () => {
    const scope: Scope = { type: "location", id: "loc_read" };
    expect(
      meaningOf(rule({ type: "unknown_tag" }, scope), unknown({ locationId: "loc_read" }), undefined),
    ).toBe("fires");
  });

  test("an asset of unknown place is in no location or category", () => {
    for (const scope of [
      { type: "location", id: "loc_home" },
      { type: "category", id: "cat_1" },
    ] as const) {
      expect(needsPlace({ scope })).toBe(true);
      expect(meaningOf(rule(seenInGate, scope), inGate, undefined)).toBeUndefined();
    }
  });

  test("narrows only: nothing fires in a scope that would not fire for all", () => {
    const ids = fc.constantFrom("zon_gate", "zon_b", "loc_home", "cat_1", "ast_1");
    const scopes = fc.record({ type: fc.constantFrom("zone", "location", "category", "asset"), id: ids });
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
