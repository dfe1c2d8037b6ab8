import fc from "fast-check";
import { expect, it } from "vitest";
import { newestOfEach } from "./sighting.ts";

const sighting = fc.record({
  workspaceId: fc.constantFrom("wsp_1", "wsp_2"),
  assetId: fc.constantFrom("ast_1", "ast_2", "ast_3"),
  at: fc.date({ noInvalidDate: true }),
  readerId: fc.string(),
  zoneId: fc.string(),
  locationId: fc.string(),
});

it("keeps the newest sighting of each asset of each workspace, in whatever order they come", () => {
  fc.assert(
    fc.property(fc.array(sighting), (sightings) => {
      const kept = newestOfEach(sightings);
      const key = (of: { workspaceId: string; assetId: string }) => `${of.workspaceId}:${of.assetId}`;
      expect(new Set(kept.map(key))).toEqual(new Set(sightings.map(key)));
      expect(kept.length).toBe(new Set(kept.map(key)).size);
      for (const each of sightings) {
        const newest = kept.find((other) => key(other) === key(each));
        expect(newest!.at >= each.at).toBe(true);
      }
    }),
  );
});
