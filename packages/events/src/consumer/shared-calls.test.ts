import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { createSharedCalls, type SharedCallsOptions } from "./shared-calls.ts";

const alone = { joins: () => false, holdMs: 60_000 };

/** Calls whose groups, and the most that ran at once, are kept. */
function recorded(options: Partial<SharedCallsOptions<string, string>>) {
  const groups: string[][] = [];
  let [active, mostActive] = [0, 0];
  const call = createSharedCalls<string, string>({
    ...{ ...alone, count: 1 },
    async call(group) {
      mostActive = Math.max(mostActive, ++active);
      groups.push([...group]);
      await delay(5);
      active -= 1;
      if (group.includes("bad")) throw new Error("failed");
      return group.map((name) => name.toUpperCase());
    },
    ...options,
  });
  return { call, groups, mostActive: () => mostActive };
}

test("at most the given number of calls run at once, in order, and a failed call frees its place", async () => {
  const { call, groups, mostActive } = recorded({ count: 2 });
  const ended = await Promise.allSettled(["bad", "b", "c", "d"].map(call));
  expect(ended.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled", "fulfilled"]);
  expect([mostActive(), groups]).toEqual([2, [["bad"], ["b"], ["c"], ["d"]]]);
});

test("items that come together share a call, those that may not join wait for the next, and each has its own result", async () => {
  const { call, groups } = recorded({ joins: (group, next) => group.length < 3 && next !== "alone" });
  const results = await Promise.all(["a", "alone", "b", "c", "d"].map(call));
  expect(groups).toEqual([
    ["a", "b", "c"],
    ["alone", "d"],
  ]);
  expect(results).toEqual(["A", "ALONE", "B", "C", "D"]);
});

test("items that come during a call share the next one", async () => {
  const { call, groups } = recorded({ joins: () => true });
  const first = call("a");
  await delay(1);
  await Promise.all([first, call("b"), call("c")]);
  expect(groups).toEqual([["a"], ["b", "c"]]);
});

test("a call that fails fails each of its items, and no other", async () => {
  const { call } = recorded({ joins: (group) => group.length < 2 });
  const ended = await Promise.allSettled(["a", "bad", "c"].map(call));
  expect(ended.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
});

test("a call that hangs keeps its place only for the given time, and frees it once", async () => {
  const hung = Promise.withResolvers<void>();
  let active = 0;
  const call = createSharedCalls<string, number>({
    ...{ ...alone, count: 1, holdMs: 20 },
    async call([name]) {
      if (name === "hung") await hung.promise;
      active += 1;
      await delay(1);
      return [active--];
    },
  });
  const first = call("hung");
  await call("a");
  hung.resolve();
  await first;
  expect(await Promise.all(["b", "c"].map(call))).toEqual([1, 1]);
});
