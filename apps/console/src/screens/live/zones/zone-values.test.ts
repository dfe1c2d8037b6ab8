import { expect, test } from "vitest";
import { type Zone, zoneBodyOf, zoneChangesOf, zoneValuesOf } from "./zone-values.ts";

const zone: Zone = {
  ...{ id: "zon_1", name: "Dock", location_ids: ["loc_1", "loc_2"], reader_ids: ["rdr_1"], read_points: [] },
  presence: {
    ...{ report_interval_seconds: null, confirm_reads: 1, dwell_seconds: null },
    ...{ leave_after_seconds: 60, margin_db: null },
  },
  ...{ rev: 2, created_at: null },
};

test("a form that was not touched changes nothing of a zone, nor does another order", () => {
  const values = zoneValuesOf(zone);
  expect(zoneChangesOf(values, zone)).toEqual({});
  expect(zoneChangesOf({ ...values, location_ids: ["loc_2", "loc_1"] }, zone)).toEqual({});
});

test("a changed zone sends only what differs; an empty setting of presence is cleared", () => {
  const values = zoneValuesOf(zone);
  const presence = { ...values.presence, leave_after_seconds: "", dwell_seconds: 5 };
  expect(zoneChangesOf({ ...values, name: " Yard ", reader_ids: [], presence }, zone)).toEqual({
    ...{ name: "Yard", reader_ids: [], presence: { leave_after_seconds: null, dwell_seconds: 5 } },
  });
});

test("a new zone has only the settings that are set", () =>
  expect(zoneBodyOf({ ...zoneValuesOf(), name: "Dock " })).toEqual({
    ...{ name: "Dock", location_ids: [], reader_ids: [], presence: {} },
  }));
