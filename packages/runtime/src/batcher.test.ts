import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { createBatcher } from "./batcher.ts";

type SentCall = { items: number[]; answer(results?: string[]): void; fail(error: Error): void };

/** A batcher whose calls wait until the test answers them. */
function heldBatcher(options: {
  maxItems: number;
  maxInFlight: number;
  maxWeight?: number;
  worthwhile?: number;
  gatherMs?: number;
  hangs?: (error: unknown) => boolean;
}) {
  const calls: SentCall[] = [];
  const batcher = createBatcher<number, string>({
    ...options,
    weigh: (item) => item,
    send: (items) =>
      new Promise((resolve, reject) => {
        calls.push({
          items,
          answer: (results = items.map((item) => `r${item}`)) => resolve(results),
          fail: reject,
        });
      }),
  });
  return { batcher, calls };
}

test("items of the same turn go in one call, and each caller gets its own answer", async () => {
  const { batcher, calls } = heldBatcher({ maxItems: 10, maxInFlight: 2 });
  const answers = [1, 2, 3].map((item) => batcher.add(item));
  await setImmediate();
  expect(calls.map(({ items }) => items)).toEqual([[1, 2, 3]]);
  calls[0]?.answer();
  expect(await Promise.all(answers)).toEqual(["r1", "r2", "r3"]);
});

test("with a time to gather, items of several turns go in one call", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { batcher, calls } = heldBatcher({ maxItems: 10, maxInFlight: 1, gatherMs: 20 });
  const first = batcher.add(1);
  await setImmediate();
  const second = batcher.add(2);
  expect(calls).toEqual([]);
  vi.advanceTimersByTime(20);
  expect(calls.map(({ items }) => items)).toEqual([[1, 2]]);
  calls[0]!.answer();
  await Promise.all([first, second]);
});

test("items that are added during the calls wait, and then go together in order", async () => {
  const { batcher, calls } = heldBatcher({ maxItems: 10, maxInFlight: 1 });
  const first = batcher.add(1);
  await setImmediate();
  const rest = [2, 3, 4].map((item) => batcher.add(item));
  await setImmediate();
  expect(calls).toHaveLength(1);
  calls[0]?.answer();
  await first;
  await setImmediate();
  expect(calls[1]?.items).toEqual([2, 3, 4]);
  calls[1]?.answer();
  expect(await Promise.all(rest)).toEqual(["r2", "r3", "r4"]);
});

test("during a call, another one begins only when enough items wait", async () => {
  const { batcher, calls } = heldBatcher({ maxItems: 10, maxInFlight: 2, worthwhile: 3 });
  const answers = [batcher.add(1)];
  await setImmediate();
  answers.push(batcher.add(2), batcher.add(3));
  await setImmediate();
  expect(calls.map(({ items }) => items)).toEqual([[1]]);
  answers.push(batcher.add(4));
  await setImmediate();
  expect(calls.map(({ items }) => items)).toEqual([[1], [2, 3, 4]]);
  answers.push(batcher.add(5));
  calls[0]?.answer();
  await answers[0];
  await setImmediate();
  expect(calls).toHaveLength(2);
  calls[1]?.answer();
  await answers[1];
  await setImmediate();
  expect(calls[2]?.items).toEqual([5]);
  calls[2]?.answer();
  expect(await Promise.all(answers)).toHaveLength(5);
});

test("no call exceeds the limits of items and weight", async () => {
  const { batcher, calls } = heldBatcher({ maxItems: 3, maxInFlight: 9, maxWeight: 10 });
  const answers = [1, 2, 3, 9, 2, 50, 1].map((item) => batcher.add(item));
  await setImmediate();
  expect(calls.map(({ items }) => items)).toEqual([[1, 2, 3], [9], [2], [50], [1]]);
  for (const call of calls) call.answer();
  expect(await Promise.all(answers)).toHaveLength(7);
});

test("a failed call fails for all its items, and for no others", async () => {
  const { batcher, calls } = heldBatcher({ maxItems: 2, maxInFlight: 2 });
  const outcomes = Promise.allSettled([1, 2, 3].map((item) => batcher.add(item)));
  await setImmediate();
  calls[0]?.fail(new Error("unavailable"));
  calls[1]?.answer();
  expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
  const later = batcher.add(4);
  await setImmediate();
  calls[2]?.answer();
  expect(await later).toBe("r4");
});

test("an item without an answer fails", async () => {
  const { batcher, calls } = heldBatcher({ maxItems: 2, maxInFlight: 1 });
  const outcomes = Promise.allSettled([batcher.add(1), batcher.add(2)]);
  await setImmediate();
  calls[0]?.answer(["r1"]);
  expect((await outcomes).map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
});

test("for any arrivals, each item goes once, in order, within the limits", async () => {
  const turns = fc.array(fc.nat(6), { maxLength: 20 });
  const limits = fc.record({
    maxItems: fc.integer({ min: 1, max: 5 }),
    maxInFlight: fc.integer({ min: 1, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(turns, limits, async (arrivals, { maxItems, maxInFlight }) => {
      const sent: number[] = [];
      let inFlight = 0;
      const batcher = createBatcher<number, number>({
        maxItems,
        maxInFlight,
        send: async (items) => {
          inFlight += 1;
          expect(inFlight).toBeLessThanOrEqual(maxInFlight);
          expect(items.length).toBeLessThanOrEqual(maxItems);
          sent.push(...items);
          await setImmediate();
          inFlight -= 1;
          return items;
        },
      });
      const answers: Promise<number>[] = [];
      for (const count of arrivals) {
        for (let i = 0; i < count; i += 1) answers.push(batcher.add(answers.length));
        await setImmediate();
      }
      const all = answers.map((_, index) => index);
      expect(await Promise.all(answers)).toEqual(all);
      expect(sent).toEqual(all);
    }),
    { numRuns: 50 },
  );
});

test("items that wait behind a hung call fail with it; items behind another failure are sent", async () => {
  const hung = new Error("hung");
  const { batcher, calls } = heldBatcher({ maxItems: 10, maxInFlight: 1, hangs: (error) => error === hung });
  const behind = async (error: Error): Promise<Promise<string>[]> => {
    const first = batcher.add(1);
    await setImmediate();
    const rest = [batcher.add(2), batcher.add(3)];
    calls.at(-1)?.fail(error);
    await expect(first).rejects.toBe(error);
    return rest;
  };
  for (const refused of await behind(hung)) await expect(refused).rejects.toBe(hung);
  const going = await behind(new Error("other"));
  await setImmediate();
  expect(calls.map(({ items }) => items)).toEqual([[1], [1], [2, 3]]);
  calls.at(-1)?.answer();
  expect(await Promise.all(going)).toEqual(["r2", "r3"]);
});
