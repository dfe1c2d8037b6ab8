import { expect, test } from "vitest";
import { createChunkSize } from "./chunk-size.ts";

test("chunks that take more than a second become smaller, short ones larger up to the maximum, and after a failure the size is 1", () => {
  const size = createChunkSize(500);
  const after = (...durations: number[]) => {
    for (const ms of durations) size.succeeded(ms);
    return size.get();
  };
  expect(after(10)).toBe(500);
  expect(after(1_500, 1_500)).toBe(125);
  expect(after(500)).toBe(125);
  expect(after(10)).toBe(250);
  size.failed();
  expect(size.get()).toBe(1);
  expect(after(1_500)).toBe(1);
  expect(after(10, 10, 10)).toBe(8);
});
