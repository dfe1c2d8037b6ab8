import { expect, test } from "vitest";
import type { Outcome } from "./presence.ts";
import { hasNoDestination, sightingSubject, toSighting } from "./sighting.ts";

const outcome: Outcome = {
  ...{ change: "arrived", readerId: "rdr_1", eventId: "evt_1", zoneId: "zon_1", locationId: "loc_1" },
  ...{ at: 1, receivedAt: 2, directed: true, reads: 3, autoMove: true },
};
const tag = { workspaceId: "wsp_1", epc: "30AA", tagId: "tag_1", assetId: "ast_1" };
const unknown = { workspaceId: "wsp_1", epc: "30AA" };

test("a sighting has the outcome and the tag, and moves the asset to the reader's location if the portal moves assets", () => {
  expect(toSighting(outcome, tag)).toEqual({ ...outcome, ...tag, autoMoveLocationId: "loc_1" });
  const still = { ...outcome, autoMove: undefined };
  expect(toSighting(still, tag)?.autoMoveLocationId).toBeUndefined();
});

test("a tag without an asset is unknown wherever it is, and nothing says that it left", () => {
  expect(toSighting(outcome, unknown)).toEqual({ ...outcome, ...unknown, change: "unknown_tag" });
  expect(toSighting({ ...outcome, change: "left" }, unknown)).toBeUndefined();
  expect(toSighting({ ...outcome, change: "left" }, tag)?.change).toBe("left");
});

test("a clone is reported as such, also of a tag without an asset, and moves no asset", () => {
  const clone = { ...outcome, change: "cloned" } as const;
  expect(toSighting(clone, unknown)?.change).toBe("cloned");
  expect(toSighting(clone, tag)?.autoMoveLocationId).toBeUndefined();
});

test("an asset that should move has no destination if neither reader nor zone has one location", () => {
  const sighting = { ...outcome, ...tag };
  expect(hasNoDestination(sighting)).toBe(true);
  expect(hasNoDestination({ ...sighting, autoMoveLocationId: "loc_1" })).toBe(false);
  expect(hasNoDestination({ ...sighting, autoMove: undefined })).toBe(false);
  expect(hasNoDestination({ ...sighting, assetId: undefined })).toBe(false);
});

test("sightings are ordered by asset, and those of unknown tags by code", () => {
  expect([sightingSubject(tag), sightingSubject(unknown)]).toEqual(["ast_1", "30AA"]);
});
