import { describe, expect, test } from "vitest";
import { isCovered, locationAt, type Positions } from "./coverage.ts";

const at = new Date("2026-01-05T12:00:00.000Z");
const minutes = (count: number): Date => new Date(at.getTime() + count * 60_000);
const none: Positions = { movements: [], checkouts: [] };
const moved = (when: Date, toLocationId?: string, reason = "transfer"): Positions => ({
  ...none,
  movements: [{ at: when, toLocationId, reason }],
});
const out = (issuedAt: Date, returnedAt?: Date): Positions => ({
  ...none,
  checkouts: [{ issuedAt, returnedAt }],
});

describe("isCovered", () => {
  test.each<[string, Positions, boolean]>([
    ["nothing", none, false],
    ["a checkout that is open", out(minutes(-600)), true],
    ["a checkout that was issued at the same instant", out(at), true],
    ["a checkout that was issued later", out(minutes(1)), false],
    ["a checkout that was returned before", out(minutes(-600), minutes(-1)), false],
    ["a checkout that was returned later", out(minutes(-600), minutes(1)), true],
    ["a movement 60 min before", moved(minutes(-60), "loc_out"), true],
    ["a movement 61 min before", moved(minutes(-61), "loc_out"), false],
    ["a movement 15 min after", moved(minutes(15), "loc_out"), true],
    ["a movement 16 min after", moved(minutes(16), "loc_out"), false],
    ["a movement into the zone", moved(at, "loc_gate"), false],
    ["a movement to no location", moved(at), false],
    ["a movement that the read itself made", moved(at, "loc_out", "rfid"), false],
  ])("%s: %s", (_name, positions, expected) => {
    expect(isCovered(positions, at, ["loc_gate"])).toBe(expected);
  });
});

test("an asset was where the last movement before had brought it, else where the first one after took it from", () => {
  const at = (minute: number) => new Date(minute * 60_000);
  const movements = [
    { at: at(10), reason: "movement", fromLocationId: "loc_a", toLocationId: "loc_b" },
    { at: at(20), reason: "movement", fromLocationId: "loc_b", toLocationId: undefined },
  ];
  const positions = { movements, checkouts: [], locationId: "loc_now" };
  expect(locationAt(positions, at(9))).toBe("loc_a");
  expect(locationAt(positions, at(10))).toBe("loc_b");
  expect(locationAt(positions, at(19))).toBe("loc_b");
  expect(locationAt(positions, at(20))).toBeUndefined();
  expect(locationAt({ ...positions, movements: [] }, at(20))).toBe("loc_now");
});
