import fc from "fast-check";
import { expect, it } from "vitest";
import { read, reads, run, sled, start } from "../../../test/readings.ts";
import { confidenceOf } from "./confidence.ts";
import { depart } from "./depart.ts";
import type { Presence } from "./presence.ts";

/** Seconds after the start. */
const at = ({ place }: Presence, seconds: number) =>
  place === undefined ? undefined : confidenceOf(place, start + seconds * 1000);

it("one read is half sure, two are 0.75, and the support of many is 1", () => {
  expect(at(run([read("A", 0)]).presence, 0)).toBe(0.5);
  expect(at(run(reads("A", 0, 1)).presence, 1)).toBe(0.75);
  expect(at(run(reads("A", 0, 30)).presence, 30)).toBe(1);
  expect(at(run([read("A", 0), read("A", 0.5, { count: 40 })]).presence, 1)).toBe(0.5);
});

it("it stays for a third of the silence that the place allows, then halves with each such silence", () => {
  const { presence } = run(reads("A", 0, 30));
  expect([40, 70, 100, 30 + 86_400].map((seconds) => at(presence, seconds))).toEqual([1, 0.5, 0.25, 0]);
  const settings = { confirmReads: 1, dwellMs: 0, leaveAfterMs: 600_000, marginDb: 6 };
  const slow = run(reads("A", 0, 30, { settings })).presence;
  expect([230, 830].map((seconds) => at(slow, seconds))).toEqual([1, 0.5]);
});

it("reads elsewhere lower it, newer ones more than older ones, and time alone does not change the share", () => {
  const settings = { confirmReads: 10, dwellMs: 60_000, leaveAfterMs: 86_400_000, marginDb: 30 };
  const contested = (from: number) =>
    run([
      ...reads("A", 0, 60, { settings }),
      ...reads("B", from, from + 9, { settings }),
      read("A", 61, { settings }),
    ]).presence;
  const [early, late] = [contested(5), contested(50)];
  expect(early.place?.zoneId).toBe("A");
  expect(at(late, 61)).toBeLessThan(at(early, 61)!);
  expect(at(late, 20_000)).toBe(at(late, 61));
});

it("after a move the reads of the place before are reads elsewhere", () => {
  const moved = run([...reads("A", 0, 60), ...reads("B", 63, 64)]).presence;
  expect(moved.place?.zoneId).toBe("B");
  expect(at(moved, 64)).toBeLessThan(0.1);
  expect(at(run(reads("B", 65, 300), moved).presence, 300)).toBe(1);
});

it("a place that a single read reached is not sure against many reads elsewhere", () => {
  const { presence } = run([...reads("A", 0, 60), read("B", 62)]);
  const left = depart(presence, { horizon: start + 100_000 }).presence;
  expect(left.place?.zoneId).toBe("B");
  expect(at(left, 62)).toBeLessThan(0.1);
});

it("a handheld at the place agrees, and elsewhere it does not", () => {
  const { presence } = run([read("A", 0)]);
  expect(at(run([sled("A", 5)], presence).presence, 5)).toBe(0.75);
  expect(at(run([sled("B", 5)], presence).presence, 5)).toBeLessThan(0.5);
  expect(at(run([sled("B", 5), sled("B", 5.2), sled("B", 5.4)], presence).presence, 6)).toBe(
    at(run([sled("B", 5)], presence).presence, 6),
  );
});

const anyReads = fc
  .array(
    fc.record({
      zone: fc.constantFrom("A", "A", "B", "C"),
      pauseMs: fc.oneof(fc.nat(1_500), fc.nat(40_000)),
      fixed: fc.boolean(),
    }),
    { minLength: 1, maxLength: 60, size: "max" },
  )
  .map((all) => {
    let ms = 0;
    return all.map(({ zone, pauseMs, fixed }) => {
      ms += pauseMs;
      return (fixed ? read : sled)(zone, ms / 1000);
    });
  });

/** A presence with a place, and a moment after its last read. */
const placed = fc
  .tuple(anyReads, fc.nat(60_000))
  .map(([all, laterMs]) => ({ presence: run(all).presence, now: all.at(-1)!.at + laterMs }))
  .filter(({ presence }) => presence.place !== undefined);

it("one more agreeing read never lowers it at any later time", () => {
  fc.assert(
    fc.property(placed, fc.nat(200_000), fc.boolean(), ({ presence, now }, laterMs, fixed) => {
      const { place } = presence;
      const zone = place?.zoneId ?? "";
      const agreeing = (fixed ? read : sled)(zone, (now - start) / 1000);
      const after = run([agreeing], presence).presence;
      expect(after.place?.zoneId).toBe(zone);
      expect(confidenceOf(after.place!, now + laterMs)).toBeGreaterThanOrEqual(
        confidenceOf(place!, now + laterMs),
      );
    }),
    { numRuns: 500 },
  );
});

it("silence never raises it, and it is from 0 to 1", () => {
  fc.assert(
    fc.property(placed, fc.nat(200_000), fc.nat(200_000), ({ presence: { place }, now }, ms, laterMs) => {
      const before = confidenceOf(place!, now + ms);
      expect(confidenceOf(place!, now + ms + laterMs)).toBeLessThanOrEqual(before);
      expect(before).toBeGreaterThanOrEqual(0);
      expect(before).toBeLessThanOrEqual(1);
    }),
  );
});

it("a read elsewhere that moves nothing never raises it", () => {
  fc.assert(
    fc.property(placed, ({ presence, now }) => {
      const elsewhere = read("elsewhere", (now - start) / 1000);
      const after = run([elsewhere], presence).presence;
      fc.pre(after.place?.zoneId === presence.place?.zoneId);
      expect(confidenceOf(after.place!, now)).toBeLessThanOrEqual(confidenceOf(presence.place!, now));
    }),
    { numRuns: 500 },
  );
});
