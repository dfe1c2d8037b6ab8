import fc from "fast-check";
import { expect, it } from "vitest";
import { antennasWith, antennaViolations, hasSamePoints, pointsIn, readPointsWith } from "./read-points.ts";

const point = (antenna: number, zoneId?: string) => ({ antenna, name: `Antenna ${antenna}`, zoneId });
const reader = { id: "rdr_1", antennas: [point(1, "zon_1"), point(2, "zon_2"), point(3)] };

it("each antenna is named once", () => {
  expect(antennaViolations(reader.antennas)).toEqual([]);
  expect(antennaViolations()).toEqual([]);
  expect(antennaViolations([point(1), point(2), point(1)])).toMatchObject([{ field: "antennas.2.antenna" }]);
});

it("antennas that a zone names are in it, those that it no longer names are in none, and the others stay", () => {
  const points = [
    { readerId: "rdr_1", antenna: 3 },
    { readerId: "rdr_2", antenna: 2 },
  ];
  expect(antennasWith(reader, "zon_1", points)).toEqual([
    { ...point(1), zoneId: undefined },
    point(2, "zon_2"),
    point(3, "zon_1"),
  ]);
});

it("the read points of other readers stay when a reader changes", () => {
  const zone = {
    id: "zon_1",
    readPoints: [
      { readerId: "rdr_1", antenna: 9 },
      { readerId: "rdr_2", antenna: 1 },
    ],
  };
  expect(readPointsWith(zone, reader)).toEqual([
    { readerId: "rdr_2", antenna: 1 },
    { readerId: "rdr_1", antenna: 1 },
  ]);
  expect(readPointsWith({ id: "zon_3" }, reader)).toEqual([]);
});

it("both sides have the same read points, whichever side was changed", () => {
  const anyZone = fc.constantFrom(undefined, "zon_1", "zon_2");
  const anyAntennas = fc
    .array(anyZone, { maxLength: 6 })
    .map((zones) => zones.map((zone, at) => point(at, zone)));
  fc.assert(
    fc.property(anyAntennas, fc.uniqueArray(fc.nat(5)), (antennas, named) => {
      const before = { id: "rdr_1", antennas };
      const points = named.flatMap((antenna) =>
        antenna < antennas.length ? [{ readerId: "rdr_1", antenna }] : [],
      );
      const after = { id: "rdr_1", antennas: antennasWith(before, "zon_1", points) };
      expect(hasSamePoints(pointsIn(after, "zon_1"), points)).toBe(true);
      const zone = { id: "zon_1", readPoints: pointsIn(before, "zon_1") };
      expect(hasSamePoints(readPointsWith(zone, after), points)).toBe(true);
    }),
  );
});

it("lists of read points are the same in any order", () => {
  const [one, two] = [1, 2].map((antenna) => ({ readerId: "rdr_1", antenna }));
  expect(hasSamePoints([one!, two!], [two!, one!])).toBe(true);
  expect(hasSamePoints([one!], [two!])).toBe(false);
  expect(hasSamePoints(undefined, [])).toBe(true);
  expect(hasSamePoints([one!, two!], [one!])).toBe(false);
});
