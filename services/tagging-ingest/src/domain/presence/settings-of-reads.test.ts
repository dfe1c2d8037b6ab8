import { expect, it } from "vitest";
import { placed, read, reads, run, sled, start, windowMs } from "../../../test/readings.ts";
import type { Reading } from "../ingest/reading.ts";
import { depart } from "./depart.ts";
import { dueTimes } from "./presence.ts";
import { DEFAULT_PRESENCE_SETTINGS, type PresenceSettings } from "./presence-settings.ts";

const by = (more: Partial<PresenceSettings>): Partial<Reading> => ({
  settings: { ...DEFAULT_PRESENCE_SETTINGS, ...more },
});
const after = (seconds: number) => ({ horizon: start + seconds * 1000 });

it("the place that is entered decides how many reads a move needs", () => {
  const gate = by({ confirmReads: 1 });
  expect(placed(run([read("A", 0), read("B", 20, gate)]))).toEqual(["arrived A 0", "moved B 20"]);
  expect(placed(run([read("A", 0, gate), read("B", 20)]))).toEqual(["arrived A 0"]);
  const strict = by({ confirmReads: 3 });
  expect(placed(run([read("A", 0), ...reads("B", 20, 21, strict)]))).toEqual(["arrived A 0"]);
  expect(placed(run([read("A", 0), ...reads("B", 20, 22, strict)]))).toEqual(["arrived A 0", "moved B 22"]);
});

it("the place that is entered decides by which margin a contest is won, and how long after the last move", () => {
  const contest = (more: Partial<Reading>) =>
    placed(
      run([
        ...reads("A", 0, 23, { rssi: -60 }),
        ...reads("B", 20, 22, { rssi: -57, ...more }),
        ...[read("A", 24, { rssi: -60 })],
      ]),
    );
  expect(contest({})).toEqual(["arrived A 0"]);
  expect(contest(by({ marginDb: 3 }))).toEqual(["arrived A 0", "moved B 21"]);
  const back = (dwellMs: number) =>
    placed(
      run([
        ...[read("A", 0), read("B", 20), read("B", 21)],
        ...[read("A", 22, by({ dwellMs, marginDb: 0 })), read("A", 23, by({ dwellMs, marginDb: 0 }))],
      ]),
    );
  expect(back(0)).toEqual(["arrived A 0", "moved B 21", "moved A 23"]);
  expect(back(10_000)).toEqual(["arrived A 0", "moved B 21"]);
});

it("the place that is left decides how long its silence has to be", () => {
  const { presence } = run([read("A", 0, by({ leaveAfterMs: 90_000 }))]);
  expect(dueTimes(presence, windowMs)).toEqual({ departAt: start + 90_000 });
  expect(depart(presence, after(89.999)).outcomes).toEqual([]);
  expect(depart(presence, after(90)).outcomes).toMatchObject([{ change: "left" }]);
});

it("a place that a single read reaches has the settings of that read", () => {
  const { presence } = run([read("A", 0), read("B", 5, by({ leaveAfterMs: 60_000 }))]);
  const moved = depart(presence, after(35));
  expect(placed(moved)).toEqual(["moved B 5"]);
  expect(dueTimes(moved.presence, windowMs)).toEqual({ departAt: start + 65_000 });
});

it("other settings count from the next read of the tag on", () => {
  const before = run([read("A", 0, by({ leaveAfterMs: 600_000 }))]);
  expect(dueTimes(before.presence, windowMs)).toEqual({ departAt: start + 600_000 });
  const shorter = run([read("A", 60, by({ leaveAfterMs: 5_000 }))], before.presence);
  expect(dueTimes(shorter.presence, windowMs)).toEqual({ departAt: start + 65_000 });
  const byDefault = run([read("A", 61)], shorter.presence);
  expect(dueTimes(byDefault.presence, windowMs)).toEqual({ departAt: start + 91_000 });
});

it("a return waits for the silence of the place that it leaves, not for that of the place that it enters", () => {
  // B was left twice, so that the next return to it waits.
  const swing = [0, 20, 40, 60].flatMap((from, at) => reads(at % 2 === 0 ? "A" : "B", from, from + 1));
  const { presence } = run(swing);
  expect(presence.place?.zoneId).toBe("B");
  const back = (more: Partial<Reading>) => placed(run(reads("A", 68, 69, more), presence));
  expect(back(by({ leaveAfterMs: 5_000 }))).toEqual([]);
  const impatient = { ...presence, place: presence.place && { ...presence.place, leaveAfterMs: 5_000 } };
  expect(placed(run(reads("A", 68, 69), impatient))).toEqual(["moved A 69"]);
});

it("a place that a handheld reported ends after a day, whatever the zone's settings", () => {
  const { presence } = run([sled("S", 0, by({ leaveAfterMs: 5_000 }))]);
  expect(dueTimes(presence, windowMs)).toEqual({ departAt: start + 86_400_000 });
});
