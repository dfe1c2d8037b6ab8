import fc from "fast-check";
import { expect, test } from "vitest";
import type { NewRead } from "../buffer/read-rows.ts";
import { createPlatformClock } from "../clock/platform-clock.ts";
import { BufferFullError } from "../inputs/input.ts";
import { createEpcFilter } from "../thinning/epc-filter.ts";
import { createReaderSink } from "./reader-sink.ts";

const NOW = 1_767_225_600_000;

function start({ isFull = false, prefixes = [] as string[] } = {}) {
  const stored: NewRead[] = [];
  let heard = 0;
  const sink = createReaderSink({
    name: "gate",
    buffer: {
      async accept(_reader, reads) {
        if (isFull) throw new BufferFullError("full");
        stored.push(...reads);
      },
    },
    clock: createPlatformClock({ wall: () => NOW, monotonic: () => 5000 }),
    passes: createEpcFilter(prefixes),
    onHeard: () => {
      heard += 1;
    },
  });
  return { sink, stored, heard: () => heard };
}

test("a read is stored with its times and counted", async () => {
  const { sink, stored, heard } = start();
  await sink.accept([{ epc: "3034", at: NOW - 100.4, antenna: 2, rssi: -60.5 }]);
  expect(stored).toEqual([
    {
      ...{ epc: "3034", antenna: 2, rssi: -60.5, count: 1, at: NOW - 100, shiftMs: 0 },
      ...{ received: NOW, monotonic: 5000, live: true },
    },
  ]);
  expect(sink.meter()).toMatchObject({ reads: 1, lastReadAt: NOW, heardAt: NOW, clockOffMs: 0 });
  expect(heard()).toBe(1);
});

test("a read that was old when it came belongs to the backlog", async () => {
  const { sink, stored } = start();
  await sink.accept([{ epc: "3034", at: NOW - 60_000 }]);
  expect(stored).toMatchObject([{ live: false, shiftMs: 0 }]);
});

test("a read from the future is dated by its receipt, and the reader's clock is shown as ahead", async () => {
  const { sink, stored } = start();
  await sink.accept([{ epc: "3034", at: NOW + 60_000 }]);
  expect(stored).toMatchObject([{ live: true, shiftMs: undefined, at: NOW + 60_000 }]);
  expect(sink.meter().clockOffMs).toBe(60_000);
});

test("reads without a wanted prefix are counted, not stored, and the reader counts as heard", async () => {
  const { sink, stored, heard } = start({ prefixes: ["3034"] });
  await sink.accept([{ epc: "3034" }, { epc: "3035" }]);
  expect(stored.map(({ epc }) => epc)).toEqual(["3034"]);
  expect(sink.meter()).toMatchObject({ reads: 1, filtered: 1 });
  expect(heard()).toBe(1);
});

test("a full buffer is reported to the input, and the reads are counted", async () => {
  const { sink } = start({ isFull: true });
  await expect(sink.accept([{ epc: "3034" }])).rejects.toThrow(BufferFullError);
  expect(sink.meter()).toMatchObject({ reads: 0, turnedAway: 1 });
});

test("whatever an input gives, only reads that the platform takes are stored, and the others are counted", async () => {
  const read = fc.record(
    {
      epc: fc.oneof(fc.string(), fc.constantFrom("3034", "30345", "abcd", "")),
      at: fc.double(),
      antenna: fc.oneof(fc.integer({ min: -1, max: 70_000 }), fc.double()),
      rssi: fc.double(),
      count: fc.oneof(fc.integer({ min: 0, max: 1_000_001 }), fc.double()),
    },
    { requiredKeys: ["epc"] },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(read), async (reads) => {
      const { sink, stored } = start();
      await sink.accept(reads);
      expect(stored.length + sink.meter().unreadable).toBe(reads.length);
      for (const one of stored) {
        expect(one.epc).toMatch(/^[0-9A-F]{4,124}$/);
        expect(Number.isInteger(one.count) && one.count >= 1 && one.count <= 1_000_000).toBe(true);
        expect(one.at === undefined || Number.isSafeInteger(one.at)).toBe(true);
        expect(one.rssi === undefined || (one.rssi >= -200 && one.rssi <= 100)).toBe(true);
      }
    }),
  );
});
