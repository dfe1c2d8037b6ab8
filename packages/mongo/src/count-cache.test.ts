import { expect, it } from "vitest";
import { createCountCache } from "./count-cache.ts";

it("asks once within the age, again after it", async () => {
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

it("does not remember a failure", async () => {
  const cache = createCountCache();
  await expect(cache.count("a", 5_000, () => Promise.reject(new Error("away")))).rejects.toThrow("away");
  expect(await cache.count("a", 5_000, async () => 3)).toBe(3);
});

it("forgets the oldest when it is full, so that memory is bounded", async () => {
  const cache = createCountCache(2);
  for (const key of ["a", "b", "c"]) await cache.count(key, 5_000, async () => 1);
  expect(await cache.count("a", 5_000, async () => 2)).toBe(2);
  expect(await cache.count("c", 5_000, async () => 2)).toBe(1);
});
