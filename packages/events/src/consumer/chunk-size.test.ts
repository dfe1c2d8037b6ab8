import { expect, test } from "vitest";
import { createChunkSize } from "./chunk-size.ts";

/** The sizes after calls that are full. A call takes `callMs`, and each of its events `eventMs`. */
function sizesOf(size: ReturnType<typeof createChunkSize>, calls: number, callMs: number, eventMs: number) {
  return Array.from({ length: calls }, () => {
    size.succeeded(size.get(), callMs + size.get() * eventMs);
    return size.get();
  });
}

test("chunks whose events take more than a second become smaller, and short ones larger up to the maximum", () => {
  const size = createChunkSize(500);
  expect(sizesOf(size, 1, 10, 0)).toEqual([500]);
  expect(sizesOf(size, 3, 10, 7)).toEqual([250, 125, 125]);
  expect(sizesOf(size, 3, 10, 0)).toEqual([250, 500, 500]);
});

test("after a failure the size is 1, and grows again while calls are short", () => {
  const size = createChunkSize(500);
  size.failed();
  expect(size.get()).toBe(1);
  expect(sizesOf(size, 4, 10, 0)).toEqual([2, 4, 8, 16]);
});

test("a database that needs seconds for each call gets as many events in a call as before", () => {
  const size = createChunkSize(64);
  size.failed();
  expect(sizesOf(size, 7, 3_000, 1)).toEqual([2, 4, 8, 16, 32, 64, 64]);
});

test("slow calls with few events leave the size for the time when many wait", () => {
  const size = createChunkSize(64);
  for (const events of [1, 1, 2, 1, 3]) size.succeeded(events, 3_000);
  expect(size.get()).toBe(64);
});

test("events that take long one by one are handled one or two at a time", () => {
  const size = createChunkSize(64);
  expect(sizesOf(size, 8, 10, 900)).toEqual([32, 16, 8, 4, 2, 1, 2, 2]);
});
