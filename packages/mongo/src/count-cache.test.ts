import { expect, it } from "vitest";
import { createCountCache } from "./count-cache.ts";

it("a count is queried once within its maximum age, also by concurrent callers, and again after it", async () => {
  let time = 0;
  let asked = 0;
  const cache = createCountCache(10, () => time);
  const count = () => cache.count("a", 5_000, async () => ++asked);
  expect(await Promise.all([count(), count()])).toEqual([1, 1]);
  time = 4_999;
  expect(await count()).toBe(1);
  time = 5_000;
  expect(await count()).toBe(2);
});

it("a failed query is not cached", async () => {
  const cache = createCountCache();
  const failing = cache.count("a", 5_000, () => Promise.reject(new Error("unavailable")));
  await expect(failing).rejects.toThrow("unavailable");
  expect(await cache.count("a", 5_000, async () => 3)).toBe(3);
});

it("a full cache removes its oldest count, so that the memory is bounded", async () => {
  const cache = createCountCache(2);
  for (const key of ["a", "b", "c"]) await cache.count(key, 5_000, async () => 1);
  expect(await cache.count("a", 5_000, async () => 2)).toBe(2);
  expect(await cache.count("c", 5_000, async () => 2)).toBe(1);
});

it("the age of a count may depend on it", async () => {
  let time = 0;
  const cache = createCountCache(10, () => time);
  let calls = 0;
  const count = () =>
    cache.count(
      "a",
      (found) => (found === 1 ? 5 : 100),
      async () => (calls += 1),
    );
  expect(await count()).toBe(1);
  time = 6;
  expect(await count()).toBe(2);
  time = 90;
  expect(await count()).toBe(2);
  time = 107;
  expect(await count()).toBe(3);
});
