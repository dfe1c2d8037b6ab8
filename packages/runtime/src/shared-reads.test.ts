import { expect, test } from "vitest";
import { currentDeadline, runWithDeadline } from "./deadline.ts";
import { createSharedReads } from "./shared-reads.ts";

/** Reads that end when the test says so. */
function heldReads() {
  const begun: { key: string; end(value: string): void; fail(error: Error): void }[] = [];
  const read = createSharedReads<string>((key) => {
    const { promise, resolve: end, reject: fail } = Promise.withResolvers<string>();
    begun.push({ key, end, fail });
    return promise;
  });
  const begins = (count: number) => expect.poll(() => begun.length).toBe(count);
  return { read, begun, begins };
}

test("reads of one key at the same time share one, those of another have their own", async () => {
  const { read, begun, begins } = heldReads();
  const all = Promise.all([read("a"), read("b"), read("a")]);
  await begins(2);
  for (const { key, end } of begun) end(key.toUpperCase());
  expect(await all).toEqual(["A", "B", "A"]);
});

test("reads that are asked for while one runs share the next, which begins after its end", async () => {
  const { read, begun, begins } = heldReads();
  const first = read("a");
  await begins(1);
  const later = Promise.all([read("a"), read("a")]);
  expect(begun).toHaveLength(1);
  begun[0]?.end("before the write");
  expect(await first).toBe("before the write");
  await begins(2);
  begun[1]?.end("after the write");
  expect(await later).toEqual(["after the write", "after the write"]);
});

test("a read that fails fails those that share it, and the next one is made", async () => {
  const { read, begun, begins } = heldReads();
  const both = Promise.allSettled([read("a"), read("a")]);
  await begins(1);
  const next = read("a");
  begun[0]?.fail(new Error("unavailable"));
  expect((await both).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await begins(2);
  begun[1]?.end("A");
  expect(await next).toBe("A");
});

test("a shared read has the deadline of none of its callers, but one of its own", async () => {
  const read = createSharedReads(async () => currentDeadline());
  const now = Date.now();
  expect(await runWithDeadline(now + 1_000, () => read("a"))).toBeGreaterThanOrEqual(now + 5_000);
});
