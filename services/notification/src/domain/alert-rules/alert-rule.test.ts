import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Sighting } from "../alerts/sighting.ts";
import { type AlertRule, meaningOf as meaningWith, needsAsset } from "./alert-rule.ts";
import type { Condition } from "./condition.ts";
import type { AssetFacts } from "./meaning.ts";
import type { Scope } from "./rule-fields.ts";

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
  version: 1,
});

const meaningOf = (rule: AlertRule, sighting: Sighting, asset: AssetFacts | undefined) =>
  meaningWith(rule, sighting, { asset, timeZone: "Europe/Berlin" });

const sighting = (change: Partial<Sighting>): Sighting => ({
  id: "msg_1",
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

  test("does not fire for a read that did not move the tag into the zone", () => {
    const single = sighting({ kind: "seen", zoneId: "zon_gate", unconfirmed: true });
    expect(meaningOf(rule(seenInGate), single, undefined)).toBeUndefined();
  });

  test("does not fire for an unknown tag, which has a rule type of its own", () => {
    expect(meaningOf(rule(seenInGate), unknown({ zoneId: "zon_gate" }), undefined)).toBeUndefined();
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

  test("ends with any read in the zone, also with one that did not move the tag back", () => {
    const single = sighting({ kind: "seen", zoneId: "zon_gate", unconfirmed: true });
    expect(meaningOf(rule(leftGate), single, undefined)).toBe("ends");
  });

  test("does not fire when no reader was left in the zone that could read the tag", () => {
    const gone = sighting({ kind: "left", fromZoneId: "zon_gate", reason: "reader_gone" });
    expect(meaningOf(rule(leftGate), gone, undefined)).toBeUndefined();
  });

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

describe("exit_portal_unauthorised", () => {
  const exit: Condition = { type: "exit_portal_unauthorised", zoneId: "zon_gate" };
  test.each([
    [{ kind: "arrived", zoneId: "zon_gate" }, "fires"],
    [{ kind: "moved", zoneId: "zon_gate", fromZoneId: "zon_b" }, "fires"],
    [{ kind: "seen", zoneId: "zon_gate" }, undefined],
    [{ kind: "seen", zoneId: "zon_gate", unconfirmed: true }, undefined],
    [{ kind: "left", fromZoneId: "zon_gate" }, undefined],
    [{ kind: "moved", zoneId: "zon_b", fromZoneId: "zon_gate" }, undefined],
  ] as const)("a sighting %j: %s", (change, expected) => {
    expect(meaningOf(rule(exit), sighting(change), undefined)).toBe(expected);
  });

  test("a read that was uploaded more than 10 minutes late does not fire", () => {
    const late = sighting({ zoneId: "zon_gate", receivedAt: new Date(at.getTime() + 600_001) });
    expect(meaningOf(rule(exit), late, undefined)).toBeUndefined();
  });
});

describe("after_hours", () => {
  // 2026-01-01 is a Thursday. At 00:00 UTC it is 01:00 in Berlin.
  const hours: Condition = { type: "after_hours", openDays: ["thu"], openFrom: "08:00", openTo: "18:00" };
  test("fires outside of the opening hours by the clock of the workspace, for each kind of presence", () => {
    for (const kind of ["arrived", "moved", "seen"] as const) {
      expect(meaningOf(rule(hours), sighting({ kind }), undefined)).toBe("fires");
    }
    expect(meaningOf(rule(hours), sighting({ kind: "left" }), undefined)).toBeUndefined();
    expect(meaningOf(rule(hours), sighting({ kind: "seen", unconfirmed: true }), undefined)).toBeUndefined();
    const open = new Date("2026-01-01T07:00:00.000Z");
    expect(meaningOf(rule(hours), sighting({ at: open, receivedAt: open }), undefined)).toBeUndefined();
  });
});

describe("status_mismatch", () => {
  const lost: Condition = { type: "status_mismatch", statusIds: ["sta_lost"] };
  test("fires when the asset is read with one of the statuses", () => {
    expect(meaningOf(rule(lost), sighting({ kind: "seen" }), { statusId: "sta_lost" })).toBe("fires");
    const single = sighting({ kind: "seen", unconfirmed: true });
    expect(meaningOf(rule(lost), single, { statusId: "sta_lost" })).toBe("fires");
    expect(meaningOf(rule(lost), sighting({}), { statusId: "sta_stock" })).toBeUndefined();
    expect(meaningOf(rule(lost), sighting({ kind: "left" }), { statusId: "sta_lost" })).toBeUndefined();
    expect(meaningOf(rule(lost), unknown({}), undefined)).toBeUndefined();
  });
});

describe("not_seen_for", () => {
  const silent: Condition = { type: "not_seen_for", hours: 1 };
  const aged = (ms: number): Sighting => sighting({ receivedAt: new Date(at.getTime() + ms) });
  test("ends with a sighting of any kind that is newer than the limit of 1 h and 70 s, also a late one", () => {
    expect(meaningOf(rule(silent), aged(0), undefined)).toBe("ends");
    expect(meaningOf(rule(silent), aged(3_669_999), undefined)).toBe("ends");
    expect(meaningOf(rule(silent), aged(3_670_000), undefined)).toBeUndefined();
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

  test("the zones of both reads of a clone are in scope, and so are their locations for a tag without an asset", () => {
    const read = (name: string) => ({
      ...{ readerId: `rdr_${name}`, zoneId: `zon_${name}`, locationId: `loc_${name}`, at },
      ...{ propertyId: `prp_${name}`, eventId: `evt_${name}` },
    });
    const clone = { reads: [read("a"), read("b")], travelSeconds: 300 };
    const cloned = { kind: "cloned", zoneId: "zon_b", locationId: "loc_b", clone } as const;
    const fires = (scope: Scope, seen: Sighting) =>
      meaningOf(rule({ type: "tag_cloned" }, scope), seen, undefined);
    for (const scopeId of ["zon_a", "zon_b"]) {
      expect(fires({ scopeType: "zone", scopeId }, sighting(cloned))).toBe("fires");
    }
    for (const scopeId of ["loc_a", "loc_b"]) {
      expect(fires({ scopeType: "location", scopeId }, unknown(cloned))).toBe("fires");
      expect(fires({ scopeType: "location", scopeId }, sighting(cloned))).toBeUndefined();
    }
    expect(fires({ scopeType: "zone", scopeId: "zon_c" }, sighting(cloned))).toBeUndefined();
    expect(fires({ scopeType: "all" }, sighting({}))).toBeUndefined();
  });

  test("an asset whose place is not known is in no location or category", () => {
    for (const scope of [
      { scopeType: "location", scopeId: "loc_home" },
      { scopeType: "category", scopeId: "cat_1" },
    ] as const) {
      expect(needsAsset({ ...scope, condition: seenInGate })).toBe(true);
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
      kind: fc.constantFrom("arrived", "left", "moved", "seen", "unknown_tag", "cloned"),
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
