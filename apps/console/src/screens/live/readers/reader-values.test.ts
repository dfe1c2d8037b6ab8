import { expect, test } from "vitest";
import type { Reader } from "./reader-card.tsx";
import {
  emptyAntenna,
  readerBodyOf,
  readerChangesOf,
  readerValuesOf,
  referenceError,
} from "./reader-values.ts";

const reader: Reader = {
  ...{ id: "rdr_1", name: "Gate", kind: "fixed_portal", zone_id: "zon_1", location_id: null },
  auto_move: true,
  antennas: [
    { antenna: 1, name: "Inside", zone_id: "zon_2", location_id: null, min_rssi: -65 },
    { antenna: 4, name: "Outside", zone_id: null, location_id: "loc_1", min_rssi: null },
  ],
  filters: [
    { action: "accept", prefix: "3034", bits: 14 },
    { action: "ignore", prefix: "E2", bits: null },
  ],
  reference_epcs: ["3034F87C0A1B2C3D4E5F6071", "3034F87C0A1B2C3D4E5F6072"],
  ...{ health: null, status: "active", last_seen_at: null, clock_skew_ms: null, accepted: 0, rejected: 0 },
  ...{ rev: 3, created_at: null, revoked_at: null },
};

test("a form that was not touched changes nothing of a reader", () =>
  expect(readerChangesOf(readerValuesOf(reader), reader)).toEqual({}));

test("a changed list is sent as a whole, without the fields that are empty", () => {
  const values = readerValuesOf(reader);
  const [inside, outside] = values.antennas;
  const changed = {
    ...values,
    zone_id: null,
    antennas: [
      { ...inside!, name: " In " },
      { ...outside!, location_id: null, min_rssi: "-70.5" },
    ],
    filters: values.filters.toReversed(),
  };
  expect(readerChangesOf(changed, reader)).toEqual({
    zone_id: null,
    antennas: [
      { antenna: 1, name: "In", zone_id: "zon_2", min_rssi: -65 },
      { antenna: 4, name: "Outside", min_rssi: -70.5 },
    ],
    filters: [
      { action: "ignore", prefix: "E2" },
      { action: "accept", prefix: "3034", bits: 14 },
    ],
  });
});

test("reference tags are lines; an empty line is none, and no line at all removes them", () => {
  const values = readerValuesOf(reader);
  const [first = ""] = reader.reference_epcs;
  expect(readerChangesOf({ ...values, reference_epcs: ` ${first} \n\n` }, reader)).toEqual({
    reference_epcs: [first],
  });
  expect(readerChangesOf({ ...values, reference_epcs: "\n" }, reader)).toEqual({ reference_epcs: [] });
});

test("an error of a reference tag names the tag, also below an empty line", () => {
  const errors = { reference_epcs: "must be hex", "reference_epcs.1": "must be hex" };
  expect(referenceError(errors, "3034\n\nZZ")).toBe("ZZ: must be hex");
  expect(referenceError({}, "3034")).toBeUndefined();
});

test("a new antenna has the next number; without a zone, place or signal it sends none", () => {
  const values = readerValuesOf(reader);
  expect(emptyAntenna([]).antenna).toBe(1);
  const added = { ...emptyAntenna(values.antennas), name: "Roof" };
  expect(readerBodyOf({ ...readerValuesOf(), antennas: [added] }).antennas).toEqual([
    { antenna: 5, name: "Roof" },
  ]);
});
