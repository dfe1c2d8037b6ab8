import { expect, test } from "vitest";
import type { Scope } from "../alert-rules/rule-fields.ts";
import { isWatched } from "./watched-reader.ts";

const zone: Scope = { scopeType: "zone", scopeId: "zon_1" };
const location: Scope = { scopeType: "location", scopeId: "loc_1" };

test.each<[string, Scope, Parameters<typeof isWatched>[1], boolean]>([
  ["a portal by a rule for all", { scopeType: "all" }, { kind: "fixed_portal" }, true],
  ["a phone by a rule for all", { scopeType: "all" }, { kind: "phone" }, false],
  ["a phone by a rule for its zone", zone, { kind: "phone", zoneId: "zon_1" }, true],
  [
    "a portal by a rule for the zone of an antenna",
    zone,
    { kind: "fixed_portal", zoneId: "zon_2", antennaZoneIds: ["zon_3", "zon_1"] },
    true,
  ],
  ["a portal without a place by a rule for a zone", zone, { kind: "fixed_portal" }, false],
  ["a portal by a rule for its location", location, { kind: "fixed_portal", locationId: "loc_1" }, true],
  [
    "a portal by a rule for the location of an antenna",
    location,
    { kind: "fixed_portal", antennaLocationIds: ["loc_1"] },
    true,
  ],
  ["a phone by a rule for its location", location, { kind: "phone", locationId: "loc_1" }, false],
  [
    "a portal by a rule for an asset",
    { scopeType: "asset", scopeId: "ast_1" },
    { kind: "fixed_portal" },
    false,
  ],
])("%s is watched, or is not: %#", (_what, scope, reader, expected) => {
  expect(isWatched(scope, reader)).toBe(expected);
});
