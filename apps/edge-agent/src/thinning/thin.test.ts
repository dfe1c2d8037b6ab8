import fc from "fast-check";
import { expect, test } from "vitest";
import { type DatedRead, thin } from "./thin.ts";

const START = 1_767_225_600_000;
const WINDOW_MS = 1000;

const read = fc.record({
  epc: fc.constantFrom("3034", "3035", "3036"),
  ts: fc.integer({ min: START, max: START + 5000 }),
  antenna: fc.constantFrom(undefined, 1, 2),
  rssi: fc.constantFrom(undefined, -40, -55.5, -70),
  count: fc.integer({ min: 1, max: 5 }),
});
const reads = fc.array(read, { maxLength: 200 });
const inOrder = reads.map((list) => [...list].sort((a, b) => a.ts - b.ts));

const keyOf = ({ epc, antenna }: DatedRead): string => `${epc} ${antenna}`;
const sum = (list: readonly DatedRead[]): number => list.reduce((total, { count }) => total + count, 0);
const thinAll = (list: DatedRead[]) => thin(list, { windowMs: WINDOW_MS, maxEvents: 1000 });

test("the counts of the events add up to the counts of the reads, for each EPC and antenna", () => {
  fc.assert(
    fc.property(reads, (list) => {
      const { events, used } = thinAll(list);
      expect(used).toBe(list.length);
      for (const key of new Set(list.map(keyOf))) {
        expect(sum(events.filter((event) => keyOf(event) === key))).toBe(
          sum(list.filter((one) => keyOf(one) === key)),
        );
      }
    }),
  );
});

test("each read has an event of its EPC and antenna that is less than a window away", () => {
  fc.assert(
    fc.property(reads, (list) => {
      const { events } = thinAll(list);
      for (const one of list) {
        const near = events.filter((event) => keyOf(event) === keyOf(one));
        expect(Math.min(...near.map(({ ts }) => Math.abs(ts - one.ts)))).toBeLessThan(WINDOW_MS);
      }
    }),
  );
});

test("of reads in the order of time, two events of an EPC and antenna are at least a window apart", () => {
  fc.assert(
    fc.property(inOrder, (list) => {
      const { events } = thinAll(list);
      for (const key of new Set(events.map(keyOf))) {
        const times = events.filter((event) => keyOf(event) === key).map(({ ts }) => ts);
        for (const [index, ts] of times.entries()) {
          if (index > 0) expect(ts - times[index - 1]!).toBeGreaterThanOrEqual(WINDOW_MS);
        }
      }
    }),
  );
});

test("the RSSI of an event is the best one of its reads", () => {
  fc.assert(
    fc.property(inOrder, (list) => {
      for (const event of thinAll(list).events) {
        const own = list.filter(
          (one) => keyOf(one) === keyOf(event) && one.ts >= event.ts && one.ts < event.ts + WINDOW_MS,
        );
        const known = own.map(({ rssi }) => rssi).filter((rssi) => rssi !== undefined);
        expect(event.rssi).toBe(known.length === 0 ? undefined : Math.max(...known));
      }
    }),
  );
});

test("a limit of events uses the longest beginning of the reads that fits, and loses nothing", () => {
  fc.assert(
    fc.property(reads, fc.integer({ min: 1, max: 20 }), (list, maxEvents) => {
      const { events, used } = thin(list, { windowMs: WINDOW_MS, maxEvents });
      expect(events.length).toBeLessThanOrEqual(maxEvents);
      expect(sum(events)).toBe(sum(list.slice(0, used)));
      if (used < list.length) {
        const one = thin(list.slice(0, used + 1), { windowMs: WINDOW_MS, maxEvents: 1000 });
        expect(one.events).toHaveLength(maxEvents + 1);
      }
    }),
  );
});

test("a window of 0 puts only reads of the same millisecond together", () => {
  const one = { epc: "3034", ts: START, antenna: 1, count: 1 };
  const { events } = thin([one, one, { ...one, ts: START + 1 }], { windowMs: 0, maxEvents: 1000 });
  expect(events).toEqual([
    { ...one, count: 2, rssi: undefined },
    { ...one, ts: START + 1 },
  ]);
});

test("an event never counts more reads than the platform takes", () => {
  const one = { epc: "3034", antenna: 1, count: 999_999 };
  const list = [0, 1, 2].map((ms) => ({ ...one, ts: START + ms }));
  expect(thinAll(list).events).toHaveLength(3);
});
