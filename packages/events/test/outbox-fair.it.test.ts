import { createLease } from "@asset-register/mongo";
import { expect, test } from "vitest";
import { readBatch, removeSent } from "../src/outbox/batch.ts";
import { outboxRows } from "../src/outbox/outbox.ts";
import { toRow } from "../src/outbox/row.ts";
import { event, log, type World, world } from "./support.ts";

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Rows of one transaction a subject, the subjects one after the other. */
async function wait({ mongo }: World, subject: string, sequences: number[]): Promise<void> {
  await outboxRows(mongo).insertMany(sequences.map((sequence) => toRow(event(log, subject, sequence), 1)));
}

/** Reads batch after batch as the relay does; the subjects and sequences of each. */
async function batches(own: World, limits: { rows: number; bytes: number }, count: number) {
  const read: string[][] = [];
  const lease = createLease(own.mongo, { name: "outbox-relay-0", holder: "test", ttlMs: 60_000 });
  await lease.acquire();
  for (let index = 0; index < count; index += 1) {
    const { rows } = await readBatch(own.mongo, 0, limits);
    await removeSent(own.mongo, rows, lease);
    read.push(rows.map(({ subject, sequence }) => `${subject} ${sequence}`));
  }
  return read;
}

test("a key with more rows than a batch holds does not hold up the keys that sort behind it", async () => {
  const own = await world();
  // Two rows of "a" are older than the others; the rest of them arrive after.
  await wait(own, "a", [1, 2]);
  await wait(own, "y", [1]);
  await wait(own, "z", [1, 2]);
  await wait(own, "a", numbers(3, 60));
  const [first] = await batches(own, { rows: 10, bytes: 1_000_000 }, 1);
  expect(first).toEqual(["a 1", "y 1", "z 1", "a 2", "z 2", "a 3", "a 4", "a 5", "a 6", "a 7"]);
});

test("a key that is alone has the whole batch, and a limit of bytes is shared in turns too", async () => {
  const own = await world();
  await wait(own, "a", numbers(1, 30));
  expect(await batches(own, { rows: 10, bytes: 1_000_000 }, 2)).toEqual([
    numbers(1, 10).map((sequence) => `a ${sequence}`),
    numbers(11, 20).map((sequence) => `a ${sequence}`),
  ]);
  await wait(own, "z", [1, 2]);
  expect(await batches(own, { rows: 100, bytes: 50 }, 2)).toEqual([
    ["a 21", "z 1"],
    ["a 22", "z 2"],
  ]);
});

test("the order within a key comes from its sequence, also when more wait than a batch holds", async () => {
  const own = await world();
  for (const sequence of [9, 3, 8, 1, 7, 2, 6, 4, 5]) await wait(own, "a", [sequence]);
  await wait(own, "z", [2, 1]);
  const read = await batches(own, { rows: 6, bytes: 1_000_000 }, 2);
  expect(read.flat().filter((row) => row.startsWith("a"))).toEqual(
    numbers(1, 9).map((sequence) => `a ${sequence}`),
  );
  expect(read.flat().filter((row) => row.startsWith("z"))).toEqual(["z 1", "z 2"]);
});

test("of many keys that all have more rows than fit, each has its next one sent in every batch", async () => {
  const own = await world();
  const subjects = numbers(10, 29).map((number) => `s${number}`);
  // Later sequences first: what arrived first is not what comes first.
  for (const sequence of [3, 2, 1]) for (const subject of subjects) await wait(own, subject, [sequence]);
  const read = await batches(own, { rows: 20, bytes: 1_000_000 }, 3);
  expect(read).toEqual([1, 2, 3].map((sequence) => subjects.map((subject) => `${subject} ${sequence}`)));
});
