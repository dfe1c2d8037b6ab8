import { describe, expect, it } from "vitest";
import { read, start } from "../../../test/readings.ts";
import {
  contend,
  isConfirmed,
  isFlapping,
  type Moves,
  mayMove,
  movesAfter,
  type Rival,
  recentMoves,
} from "./move-rule.ts";
import { type Place, placeOf } from "./place.ts";
import { DEFAULT_PRESENCE_SETTINGS as settings } from "./presence-settings.ts";
import type { Seconds } from "./seconds.ts";

/** The place A, read last `lastAt` milliseconds after the start. */
function placeA(lastAt: number, more: Partial<Place> = {}): Place {
  const track = { lastAt: start + lastAt, seconds: { late: 1, early: 0 } };
  return { ...placeOf(read("A", lastAt / 1000), track, start), ...more };
}
const rivalB = (lastAt: number, more: Partial<Rival> = {}): Rival => ({
  ...{ key: "B", since: start, lastAt: start + lastAt, seconds: { late: 0b11, early: 0 } },
  ...more,
});
const moved = (more: Partial<Moves> = {}): Moves => ({ times: [start], left: [], waitMs: 0, ...more });

describe("a rival", () => {
  it("runs while none of its reads is more than 10 s after the one before; an older signal does not count", () => {
    const { rival: first, rivals } = contend([], read("B", 0), -60);
    expect(first).toEqual({
      ...{ key: "B", since: start, lastAt: start, seconds: { late: 1, early: 0 }, rssi: -60 },
    });
    expect(rivals).toEqual([first]);
    expect(contend([first], read("B", 10), -50).rival).toMatchObject({ since: start, rssi: -57 });
    expect(contend([first], read("B", 10.001), -50).rival).toMatchObject({
      since: start + 10_001,
      rssi: -50,
    });
    expect(contend([first], read("B", 10), -50).rivals).toHaveLength(1);
  });

  it("is forgotten after a minute, or when three others were read since", () => {
    const keys = (rivals: readonly Rival[]) => rivals.map(({ key }) => key);
    const { rivals } = contend([], read("B", 0), undefined);
    expect(keys(contend(rivals, read("C", 59.999), undefined).rivals)).toEqual(["C", "B"]);
    expect(keys(contend(rivals, read("C", 60), undefined).rivals)).toEqual(["C"]);
    const four = ["C", "D", "E"].reduce(
      (now, zone, at) => contend(now, read(zone, at + 1), undefined).rivals,
      rivals,
    );
    expect(keys(four)).toEqual(["E", "D", "C"]);
  });

  it("is confirmed by reads in enough seconds of the last 10 s", () => {
    const isBy = (late: number, confirmReads = 2) =>
      isConfirmed(rivalB(0, { seconds: { late, early: 0 } }), { ...settings, confirmReads });
    expect([isBy(0b1), isBy(0b11), isBy(0b11, 3), isBy(0b111, 3)]).toEqual([false, true, false, true]);
    expect([isBy(1 | (1 << 10)), isBy(1 | (1 << 11))]).toEqual([true, false]);
  });
});

describe("a move", () => {
  it("is not contested by a place that was read more than 2 s before", () => {
    expect(mayMove(rivalB(2_001), placeA(0), moved(), settings)).toBe(true);
    expect(mayMove(rivalB(2_000, { seconds: { late: 1, early: 0 } }), placeA(0), moved(), settings)).toBe(
      false,
    );
  });

  it("that is contested needs 10 s since the last one, and 6 dB or two thirds of the reads", () => {
    const may = (at: number, rival: Partial<Rival>, place: Partial<Place> = {}) =>
      mayMove(rivalB(at, rival), placeA(at, { rssi: -60, ...place }), moved(), settings);
    const weak = { seconds: { late: 1, early: 0 } };
    expect(may(9_999, { ...weak, rssi: -40 })).toBe(false);
    expect(may(10_000, { ...weak, rssi: -54 })).toBe(true);
    expect(may(10_000, { ...weak, rssi: -54.1 })).toBe(false);
    expect(may(10_000, weak)).toBe(false);
    expect(may(10_000, { ...weak, rssi: -40 }, { rssi: undefined })).toBe(false);
    const seconds = (late: number): { seconds: Seconds } => ({ seconds: { late, early: 0 } });
    // 4 of 6 reads of the last 10 s are two thirds, 3 of 5 are not.
    expect(may(10_000, seconds(0b1111), seconds(0b11))).toBe(true);
    expect(may(10_000, seconds(0b111), seconds(0b11))).toBe(false);
    // Reads of 10 s ago do not count.
    expect(may(10_000, seconds(0b111), seconds(0b1 | (1 << 10)))).toBe(true);
    expect(may(10_000, seconds(0b111), seconds(0b1 | (1 << 9)))).toBe(false);
    // The last read at the place was one second before.
    const earlier = placeA(9_000, seconds(0b1 | (1 << 9)));
    expect(mayMove(rivalB(10_000, seconds(0b11)), earlier, moved(), settings)).toBe(true);
    // Without a dwell time, the reads of the present second decide.
    const place = placeA(10_000, seconds(0b1));
    expect(mayMove(rivalB(10_000, seconds(0b11)), place, moved(), { ...settings, dwellMs: 0 })).toBe(false);
  });

  it("back waits as long as the last moves say, or until the place is silent for as long as a departure takes", () => {
    const left = [{ key: "B", at: start }];
    const may = (at: number, moves: Partial<Moves>, placeAt = at - 3_000) =>
      mayMove(rivalB(at), placeA(placeAt), moved({ left, waitMs: 20_000, ...moves }), settings);
    expect([may(19_999, {}), may(20_000, {})]).toEqual([false, true]);
    expect(may(5_000, { left: [{ key: "C", at: start }] })).toBe(true);
    expect(may(5_000, { waitMs: 0 })).toBe(true);
    expect(may(700_000, { times: [start + 690_000] })).toBe(false);
    const long = { times: [start + 30_000], waitMs: 600_000 };
    expect([may(40_000, long, 10_001), may(40_000, long, 10_000)]).toEqual([false, true]);
    expect(mayMove(rivalB(5_000), placeA(0), undefined, settings)).toBe(true);
  });
});

describe("the moves after one", () => {
  const after = (moves: Moves | undefined, at: number, key = "B", place = placeA(at)) =>
    movesAfter(moves, place, key, start + at);

  it("have its time and the place that it left, and no wait for the first return", () => {
    expect(after(undefined, 0)).toEqual({
      ...{ times: [start], left: [{ key: "A", at: start }], waitMs: 0, flapping: undefined },
    });
  });

  it("wait 20 s after a return within 10 minutes, then twice as long each time, at most 10 minutes", () => {
    const left = (at: number) => [{ key: "B", at: start + at }];
    expect(after(moved({ left: left(0) }), 600_000).waitMs).toBe(20_000);
    expect(after(moved({ left: left(0) }), 600_001).waitMs).toBe(0);
    expect(after(moved({ left: left(0), waitMs: 20_000 }), 600_001).waitMs).toBe(40_000);
    expect(after(moved({ left: left(0), waitMs: 320_000 }), 1_000).waitMs).toBe(600_000);
    expect(after(moved({ left: left(0), waitMs: 20_000 }), 1_000, "C").waitMs).toBe(20_000);
    const silent = (ms: number) =>
      after(moved({ left: left(0), waitMs: 80_000 }), 100_000, "B", placeA(100_000 - ms));
    expect([silent(29_999).waitMs, silent(30_000).waitMs]).toEqual([160_000, 0]);
  });

  it("know the last five places that it left, each once", () => {
    const left = ["C", "A", "D", "E", "F"].map((key) => ({ key, at: start }));
    expect(after(moved({ left }), 9).left).toEqual([
      { key: "A", at: start + 9 },
      ...left.filter(({ key }) => key !== "A"),
    ]);
    const others = ["C", "D", "E", "F", "G"].map((key) => ({ key, at: start }));
    expect(after(moved({ left: others }), 9).left.map(({ key }) => key)).toEqual(["A", "C", "D", "E", "F"]);
  });

  it("are flapping after six within 10 minutes", () => {
    const times = [0, 100_000, 200_000, 300_000, 400_000].map((ms) => start + ms);
    expect(after(moved({ times }), 600_000).flapping).toBe(true);
    expect(after(moved({ times }), 600_001).flapping).toBeUndefined();
    expect(after(moved({ times: times.slice(1) }), 600_000).flapping).toBeUndefined();
    const seven = after(moved({ times: [start - 1, ...times] }), 600_000);
    expect(seven.times).toEqual([...times, start + 600_000]);
  });

  it("stay flapping until 10 minutes without a move", () => {
    const flapping = moved({ flapping: true });
    expect(isFlapping(flapping, start + 599_999)).toBe(true);
    expect(isFlapping(flapping, start + 600_000)).toBe(false);
    expect(isFlapping(moved(), start)).toBe(false);
    expect(isFlapping(undefined, start)).toBe(false);
    expect(after(flapping, 599_999).flapping).toBe(true);
    expect(after(flapping, 600_000).flapping).toBeUndefined();
  });

  it("are forgotten after an hour", () => {
    const moves = moved();
    expect(recentMoves(moves, start + 3_599_999)).toBe(moves);
    expect(recentMoves(moves, start + 3_600_000)).toBeUndefined();
    expect(recentMoves(moved({ times: [] }), start)).toBeUndefined();
    expect(recentMoves(undefined, start)).toBeUndefined();
  });
});
