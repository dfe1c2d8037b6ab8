import { describe, expect, it } from "vitest";
import { read, sled, start } from "../../../test/readings.ts";
import type { Reading } from "../ingest/reading.ts";
import { firstRead, withReadHere } from "./confidence.ts";
import { isSamePlace, namesPlace, type Place, placeOf, stay, trackAfter } from "./place.ts";
import { countSeconds } from "./seconds.ts";

const place = (reading: Reading, more: Partial<Place> = {}): Place => ({
  ...placeOf(reading, trackAfter(undefined, reading.at, reading.rssi)),
  ...more,
});

describe("a track", () => {
  it("has the seconds with a read, and the weighted signal in steps of 1/64 dB", () => {
    const first = trackAfter(undefined, 1_500, -60.01);
    expect(first).toEqual({ lastAt: 1_500, seconds: { late: 1, early: 0 }, rssi: -60.015625 });
    const second = trackAfter(first, 3_999, -50);
    expect(second.lastAt).toBe(3_999);
    expect([1, 2, 3].map((length) => countSeconds(second.seconds, length))).toEqual([1, 1, 2]);
    // -60.015625 + 0.3 x 10.015625 = -57.0109375
    expect(second.rssi).toBe(-57.015625);
  });

  it("keeps its signal when a read has none", () => {
    const first = trackAfter(undefined, 0, -60);
    expect(trackAfter(first, 1_000, undefined).rssi).toBe(-60);
    expect(trackAfter({ ...first, rssi: undefined }, 1_000, -50).rssi).toBe(-50);
    expect(trackAfter(undefined, 0, undefined).rssi).toBeUndefined();
  });
});

it("a place has what its reading names, since its first read or an earlier one", () => {
  const reading = read("A", 3, { locationId: "loc_1", receivedAt: start + 4_000, rssi: -60 });
  const track = { lastAt: reading.at, seconds: { late: 5, early: 1 }, rssi: -61 };
  const expected = {
    ...{ zoneId: "A", locationId: "loc_1", readerId: "rdr_A", fixed: true, since: start + 3_000 },
    ...{ lastReceivedAt: start + 4_000, lastEventId: reading.eventId, others: [], ...track },
    counts: firstRead(reading.at),
  };
  expect(placeOf(reading, track)).toEqual(expected);
  expect(placeOf(reading, track, start)).toEqual({ ...expected, since: start });
});

describe("a place that is read again", () => {
  it("has the newest read and location, and keeps its beginning", () => {
    const first = place(read("A", 0, { locationId: "loc_1", rssi: -60 }));
    const again = stay(first, read("A", 5, { readerId: "rdr_2", locationId: "loc_2" }), -50);
    expect(again).toMatchObject({
      ...{ locationId: "loc_2", readerId: "rdr_2", fixed: true, since: start, lastAt: start + 5_000 },
      ...{ lastReceivedAt: start + 5_000, rssi: -57 },
    });
    expect(stay(first, read("A", 5, { locationId: undefined }), -50).locationId).toBe("loc_1");
  });

  it("has the latest receipt, also if an earlier read was received later", () => {
    const first = place(read("A", 0, { receivedAt: start + 9_000 }));
    expect(stay(first, read("A", 5), undefined).lastReceivedAt).toBe(start + 9_000);
  });

  it("stays that of its portal when a handheld reads it there", () => {
    const portal = place(read("A", 0, { rssi: -60 }), { others: [{ readerId: "rdr_9", lastAt: start }] });
    const handheld = sled("A", 5);
    expect(stay(portal, handheld, -20)).toEqual({
      ...portal,
      ...{ lastAt: handheld.at, lastReceivedAt: handheld.receivedAt, lastEventId: handheld.eventId },
      counts: withReadHere(portal.counts, handheld.at),
    });
    expect(stay(place(sled("A", 0)), read("A", 5), undefined)).toMatchObject({ fixed: true, others: [] });
    expect(stay(place(sled("A", 0)), sled("A", 5), undefined)).toMatchObject({ fixed: false, others: [] });
  });

  it("remembers up to three other portals of the last 10 minutes, the last one first", () => {
    const at = (readerId: string, seconds: number) => read("A", seconds, { readerId });
    const names = ({ others }: Place) => others.map(({ readerId }) => readerId);
    const two = stay(place(at("rdr_1", 0)), at("rdr_2", 10), undefined);
    expect(two.others).toEqual([{ readerId: "rdr_1", lastAt: start }]);
    // The same reader again is no other one.
    expect(stay(two, at("rdr_2", 11), undefined).others).toEqual(two.others);
    const back = stay(two, at("rdr_1", 20), undefined);
    expect(back.others).toEqual([{ readerId: "rdr_2", lastAt: start + 10_000 }]);
    const many = [3, 4, 5].reduce((now, n) => stay(now, at(`rdr_${n}`, 10 * n), undefined), two);
    expect(names(many)).toEqual(["rdr_4", "rdr_3", "rdr_2"]);
    expect(names(stay(two, at("rdr_2", 600), undefined))).toEqual(["rdr_1"]);
    expect(names(stay(two, at("rdr_2", 600.001), undefined))).toEqual([]);
    // A handheld that placed the tag is no portal.
    expect(names(stay(place(sled("A", 0)), at("rdr_2", 1), undefined))).toEqual([]);
  });
});

it("a portal always says where a tag is, a handheld with a zone or location of its own", () => {
  const nowhere = { zoneId: undefined, locationId: undefined };
  expect(namesPlace(read("A", 0, nowhere))).toBe(true);
  expect(namesPlace(sled("A", 0, nowhere))).toBe(false);
  expect(namesPlace(sled("A", 0, { ...nowhere, zoneId: "A" }))).toBe(true);
  expect(namesPlace(sled("A", 0, { ...nowhere, locationId: "loc_1" }))).toBe(true);
  expect(isSamePlace(place(read("A", 0)), sled("A", 1))).toBe(true);
  expect(isSamePlace(place(read("A", 0)), read("B", 1))).toBe(false);
});
