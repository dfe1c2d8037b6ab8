import fc from "fast-check";
import { Partitioners } from "kafkajs";
import { expect, test } from "vitest";
import { createKeyHash, murmur2 } from "./murmur2.ts";

const partitionsOf = (count: number) =>
  Array.from({ length: count }, (_, partitionId) => ({
    partitionId,
    partitionErrorCode: 0,
    leader: 1,
    replicas: [1],
    isr: [1],
  }));

test("for any key and any number of partitions, the hash selects the partition that kafkajs' default partitioner selects", () => {
  const pick = Partitioners.DefaultPartitioner();
  const hash = createKeyHash();
  const keys = fc.oneof(
    fc.uint8Array({ maxLength: 80 }).map((bytes) => Buffer.from(bytes)),
    fc.string({ unit: "binary", maxLength: 80 }),
    fc.string({ unit: "binary", minLength: 300, maxLength: 400 }),
  );
  fc.assert(
    fc.property(keys, fc.integer({ min: 1, max: 1000 }), (key, count) => {
      const theirs = pick({
        topic: "any",
        partitionMetadata: partitionsOf(count),
        message: { key, value: null },
      });
      expect((hash(key) & 0x7fffffff) % count).toBe(theirs);
    }),
    { numRuns: 2_000 },
  );
});

test("the hashes equal the values in the tests of Kafka's Java client", () => {
  const known: Record<string, number> = {
    "21": -973932308,
    foobar: -790332482,
    "a-little-bit-long-string": -985981536,
    "a-little-bit-longer-string": -1486304829,
    lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8: -58897971,
  };
  for (const [text, hash] of Object.entries(known)) expect(murmur2(Buffer.from(text))).toBe(hash);
});
