import fc from "fast-check";
import { expect, test } from "vitest";
import { recordSize, splitBySize } from "./record-size.ts";

const record = fc.record({
  topic: fc.constantFrom("a", "b"),
  partition: fc.nat({ max: 2 }),
  size: fc.integer({ min: 1, max: 150 }),
});

test("splitting keeps all records in order, and no send exceeds the limit of a partition", () => {
  fc.assert(
    fc.property(fc.array(record), (records) => {
      const sends = splitBySize(records, 100);
      expect(sends.flat()).toEqual(records);
      for (const send of sends) {
        const byPartition = Map.groupBy(send, ({ topic, partition }) => `${topic}/${partition}`);
        for (const own of byPartition.values())
          if (own.length > 1) expect(own.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(100);
      }
    }),
  );
});

test("records of different partitions share a send, regardless of their total size", () => {
  const records = [0, 1, 2].map((partition) => ({ topic: "a", partition, size: 90 }));
  expect(splitBySize(records, 100)).toHaveLength(1);
});

test("the size of a record counts key, value and headers in bytes, not in characters", () => {
  const without = recordSize(null, null, {});
  expect(recordSize("ä", Buffer.from("é"), { ü: "ß" }) - without).toBeGreaterThanOrEqual(8);
});
