import fc from "fast-check";
import { expect, test } from "vitest";
import {
  countedIn,
  healthAfter,
  judgedMinutes,
  type ObservedReader,
  reasonsOf,
  rivalsAmong,
} from "./judged-health.ts";

const none = { reads: 0, expected: 0 };
const quiet: ObservedReader = { reads: 0, rejected: 0, wrongSignatures: 0, rivals: none };
const blind = { ...quiet, expected: 20, rivals: { reads: 11, expected: 20 } };

test.each<[string, Partial<ObservedReader>, boolean]>([
  ["no read of 20, and rivals with more than half of theirs", {}, true],
  ["a tenth of its reads", { reads: 2 }, false],
  ["less than a tenth", { reads: 1 }, true],
  ["fewer than 20 reads expected", { expected: 19.9 }, false],
  ["no baseline", { expected: undefined }, false],
  ["rivals with half of theirs", { rivals: { reads: 10, expected: 20 } }, false],
  ["no rivals", { rivals: none }, false],
  ["no rivals, and unread reference tags", { rivals: none, referenceReads: 0 }, true],
  ["no rivals, and a reference tag that is read", { rivals: none, referenceReads: 1 }, false],
])("blind: %s", (_, observed, isBlind) => {
  expect(reasonsOf({ ...blind, ...observed })).toEqual(isBlind ? ["blind"] : []);
});

test.each<[string, Partial<ObservedReader>, string[]]>([
  ["nothing", {}, []],
  ["10 s", { clockSkewMs: 10_000 }, []],
  ["more than 10 s ahead", { clockSkewMs: 10_001 }, ["clock_skew"]],
  ["more than 10 s behind", { clockSkewMs: -10_001 }, ["clock_skew"]],
  ["19 rejected events", { rejected: 19 }, []],
  ["20 rejected events", { rejected: 20 }, ["rejected"]],
  ["half of 20 rejected", { rejected: 10, reads: 10 }, []],
  ["more than half of 20 rejected", { rejected: 11, reads: 9 }, ["rejected"]],
  ["19 wrong signatures", { wrongSignatures: 19 }, []],
  ["20 wrong signatures", { wrongSignatures: 20 }, ["signatures"]],
  ["as many wrong as right signatures", { wrongSignatures: 20, reads: 12, rejected: 8 }, []],
  [
    "all",
    { clockSkewMs: 60_000, wrongSignatures: 50, rejected: 20, referenceReads: 0 },
    [...["blind", "clock_skew", "signatures", "rejected"]],
  ],
])("reasons: %s", (_, observed, reasons) => {
  expect(reasonsOf({ ...quiet, ...observed })).toEqual(reasons);
});

test("the 15 minutes before the present one are counted, wrong signatures apart from other rejections", () => {
  const now = new Date(100 * 60_000 + 5_000);
  expect(judgedMinutes(now)).toEqual({ from: 85, to: 100 });
  const minutes = [84, 85, 99, 100].map((minute) => ({
    ...{ minute, accepted: 1 },
    rejected: { READER_SIGNATURE_INVALID: 10, VALIDATION_FAILED: 100 },
  }));
  expect(countedIn(minutes, judgedMinutes(now))).toEqual({ reads: 2, rejected: 200, wrongSignatures: 20 });
});

test("the state keeps its time while it lasts, whatever its reasons, and an equal judgement changes nothing", () => {
  const [one, two, three] = [1, 2, 3].map((ms) => new Date(ms));
  const first = healthAfter(undefined, ["blind"], one!);
  expect(first).toEqual({ state: "degraded", reasons: ["blind"], since: one, changedAt: one });
  expect(healthAfter(first, ["blind"], two!)).toBe(first);
  const more = healthAfter(first, ["blind", "rejected"], two!);
  expect(more).toEqual({ state: "degraded", reasons: ["blind", "rejected"], since: one, changedAt: two });
  expect(healthAfter(more, [], three!)).toEqual({ state: "ok", reasons: [], since: three, changedAt: three });
});

test("rivals are the other portals of its zones, each once; where none usually reads there, those of its property", () => {
  const portal = (reads: number, zoneIds: string[], propertyId?: string) => ({
    ...{ zoneIds, propertyId, reads, expected: 10 * reads },
  });
  const portals = [
    ...[
      portal(1, ["z"], "p"),
      portal(2, ["z"]),
      portal(4, [], "p"),
      portal(8, ["y"], "p"),
      portal(16, ["x"]),
    ],
    // With antennas in two zones, once with the same antennas as another one.
    ...[portal(32, ["z", "w"]), portal(64, ["w", "z", "z"])],
  ];
  const rivalsOf = rivalsAmong(portals);
  expect(portals.map((one) => rivalsOf(one).reads)).toEqual([98, 97, 9, 5, 0, 67, 35]);
  expect(rivalsOf(portals[0]!).expected).toBe(980);
});

const count = fc.integer({ min: 0, max: 1_000 });
const observedReader = fc.record({
  ...{ reads: count, rejected: count, wrongSignatures: count, expected: count },
  ...{
    rivals: fc.record({ reads: count, expected: count }),
    referenceReads: fc.option(count, { nil: undefined }),
  },
});

test("one more accepted read gives no reader a reason, and more reads of its rivals never take blindness away", () => {
  fc.assert(
    fc.property(observedReader, count, (observed, more) => {
      const before = reasonsOf(observed);
      const read = reasonsOf({ ...observed, reads: observed.reads + more });
      expect(before).toEqual(expect.arrayContaining(read));
      const rivals = { ...observed.rivals, reads: observed.rivals.reads + more };
      if (before.includes("blind")) expect(reasonsOf({ ...observed, rivals })).toContain("blind");
    }),
  );
});

test("when all portals of a place read a like part of what is usual, none is blind", () => {
  const place = fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(place, fc.integer({ min: 0, max: 100 }), (usual, percent) => {
      const portals = usual.map((expected) => ({
        zoneIds: ["z"],
        expected,
        reads: (expected * percent) / 100,
      }));
      const rivalsOf = rivalsAmong(portals);
      for (const portal of portals)
        expect(reasonsOf({ ...quiet, ...portal, rivals: rivalsOf(portal) })).toEqual([]);
    }),
  );
});
