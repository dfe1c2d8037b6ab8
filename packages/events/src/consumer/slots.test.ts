import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { createSlots } from "./slots.ts";

test("at most the given number of calls run at once, in order, and a failed call frees its slot", async () => {
  const inSlot = createSlots(2, 60_000);
  const log: string[] = [];
  let [active, mostActive] = [0, 0];
  const call = (name: string) =>
    inSlot(async () => {
      mostActive = Math.max(mostActive, ++active);
      log.push(name);
      await delay(5);
      active -= 1;
      if (name === "a") throw new Error("failed");
    });
  const ended = await Promise.allSettled(["a", "b", "c", "d"].map(call));
  expect(ended.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled", "fulfilled"]);
  expect([mostActive, log]).toEqual([2, ["a", "b", "c", "d"]]);
});

test("a call that hangs keeps its slot only for the given time, and frees it once", async () => {
  const inSlot = createSlots(1, 20);
  const hung = Promise.withResolvers<void>();
  const first = inSlot(() => hung.promise);
  await inSlot(async () => {});
  hung.resolve();
  await first;
  let active = 0;
  const counts = await Promise.all(
    [1, 2].map(() =>
      inSlot(async () => {
        active += 1;
        await delay(1);
        return active--;
      }),
    ),
  );
  expect(counts).toEqual([1, 1]);
});
