import { expect, it } from "vitest";
import type { PlacedReader } from "./reader.ts";
import { isWeak, spotAt, spotsOf } from "./spot.ts";

const reader: PlacedReader = {
  ...{ id: "rdr_1", kind: "fixed_portal", zoneId: "zon_hall", autoMove: false },
  antennas: [
    { antenna: 1, name: "Inside", zoneId: "zon_in", locationId: "loc_in", minRssi: -60 },
    { antenna: 2, name: "Outside", zoneId: "zon_out" },
    { antenna: 3, name: "Shelf", locationId: "loc_shelf" },
    { antenna: 4, name: "Spare" },
  ],
};
const zones = new Map([
  ["zon_hall", { id: "zon_hall", onlyLocationId: "loc_hall" }],
  ["zon_out", { id: "zon_out", onlyLocationId: "loc_yard", presence: { confirmReads: 1 } }],
]);
const presence = { marginDb: 3 };

it("a listed antenna has its own zone and location, all other reads those of the reader", () => {
  const spots = spotsOf(reader, { zones, presence: undefined });
  const at = (antenna?: number) => {
    const { zoneId, locationId } = spotAt(spots, antenna);
    return [zoneId, locationId];
  };
  expect([1, 2, 3, 4, 9, undefined].map(at)).toEqual([
    ["zon_in", "loc_in"],
    ["zon_out", "loc_yard"],
    [undefined, "loc_shelf"],
    [undefined, undefined],
    ["zon_hall", "loc_hall"],
    ["zon_hall", "loc_hall"],
  ]);
});

it("the location of the antenna comes first, then the reader's, then the only one of the zone", () => {
  const spots = spotsOf({ ...reader, locationId: "loc_gate" }, { zones, presence: undefined });
  const locations = [1, 2, 3, 4, 9].map((antenna) => spotAt(spots, antenna).locationId);
  expect(locations).toEqual(["loc_in", "loc_gate", "loc_shelf", "loc_gate", "loc_gate"]);
});

it("the settings are those of the antenna's zone, and of the workspace for the rest", () => {
  const spots = spotsOf(reader, { zones, presence });
  expect(spotAt(spots, 2).settings).toMatchObject({ confirmReads: 1, marginDb: 3 });
  expect(spotAt(spots, 4).settings).toMatchObject({ confirmReads: 2, marginDb: 3 });
  expect(spotAt(spotsOf(reader, { zones, presence: undefined }), 4).settings).toBeUndefined();
});

it("a read below min_rssi is weak; one without a signal, or at a spot without a limit, is not", () => {
  const spots = spotsOf(reader, { zones, presence });
  const weak = [-60.5, -60, undefined].map((rssi) => isWeak(spotAt(spots, 1), rssi));
  expect(weak).toEqual([true, false, false]);
  expect(isWeak(spotAt(spots, 2), -200)).toBe(false);
});
