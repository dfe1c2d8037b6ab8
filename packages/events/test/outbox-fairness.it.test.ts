import { createLease } from "@asset-register/mongo";
import { expect, test } from "vitest";
import { readBatch, removeSent } from "../src/outbox/batch.ts";
import { outboxRows } from "../src/outbox/outbox.ts";
import { toRow } from "../src/outbox/row.ts";
import { event, log, type World, world } from "./support.ts";

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Inserts waiting rows of a subject. Later calls insert newer rows. */
async function insertRows({ mongo }: World, subject: string, sequences: number[]): Promise<void> {
  await outboxRows(mongo).insertMany(sequences.map((sequence) => toRow(event(log, subject, sequence), 1)));
}

/** Reads and removes batch after batch as the relay does. Returns the subjects and sequences of each. */
async function batches(own: World, limits: { rows: number; bytes: number }, count: number) {
  const read: string[][] = [];
  const lease = createLease(own.mongo, { name: "outbox-relay-0", holder: "test", ttlMs: 60_000 });
  await lease.acquire();
  for (let index = 0; index < count; index += 1) {
    const { rows } = await readBatch(own.mongo, { shard: 0 }, limits);
    await removeSent(own.mongo, rows, lease);
    read.push(rows.map(({ subject, sequence }) => `${subject} ${sequence}`));
  }
  return read;
}

test("a key with more rows than a batch does not delay the keys whose rows are newer", async () => {
  const own = await world();
  // Two rows of "a" are older than the rows of the other keys. The other rows of "a" are newer.
  await insertRows(own, "a", [1, 2]);
  await insertRows(own, "y", [1]);
  await insertRows(own, "z", [1, 2]);
  await insertRows(own, "a", numbers(3, 60));
  const [first] = await batches(own, { rows: 10, bytes: 1_000_000 }, 1);
  expect(first).toEqual(["a 1", "y 1", "z 1", "a 2", "z 2", "a 3", "a 4", "a 5", "a 6", "a 7"]);
});

test("a single key gets the whole batch, and a byte limit is shared round-robin between two keys", async () => {
  const own = await world();
  await insertRows(own, "a", numbers(1, 30));
  expect(await batches(own, { rows: 10, bytes: 1_000_000 }, 2)).toEqual([
    numbers(1, 10).map((sequence) => `a ${sequence}`),
    numbers(11, 20).map((sequence) => `a ${sequence}`),
  ]);
  await insertRows(own, "z", [1, 2]);
  expect(await batches(own, { rows: 100, bytes: 50 }, 2)).toEqual([
    ["a 21", "z 1"],
    ["a 22", "z 2"],
  ]);
});

test("the rows of a key are read in order of sequence, also if more rows wait than fit into a batch", async () => {
  const own = await world();
  for (const sequence of [9, 3, 8, 1, 7, 2, 6, 4, 5]) await insertRows(own, "a", [sequence]);
  await insertRows(own, "z", [2, 1]);
  const read = await batches(own, { rows: 6, bytes: 1_000_000 }, 2);
  expect(read.flat().filter((row) => row.startsWith("a"))).toEqual(
    numbers(1, 9).map((sequence) => `a ${sequence}`),
  );
  expect(read.flat().filter((row) => row.startsWith("z"))).toEqual(["z 1", "z 2"]);
});

test("with many keys that have more rows than fit, every batch contains the next row of each key", async () => {
  const own = await world();
  const subjects = numbers(10, 29).map((number) => `s${number}`);
  // Later sequences are inserted first: the order of insertion differs from the order to send.
  for (const sequence of [3, 2, 1])
    for (const subject of subjects) await insertRows(own, subject, [sequence]);
  const read = await batches(own, { rows: 20, bytes: 1_000_000 }, 3);
  expect(read).toEqual([1, 2, 3].map((sequence) => subjects.map((subject) => `${subject} ${sequence}`)));
});
