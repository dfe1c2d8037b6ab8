import { expect, test } from "vitest";
import { type ChunkSize, createChunkSize } from "./chunk-size.ts";

/** The sizes of some full calls. A call takes `callMs`, and each of its events `eventMs`. */
function calls(size: ChunkSize, count: number, callMs: number, eventMs: number): number[] {
  return Array.from({ length: count }, () => {
    const given = size.get();
    size.succeeded(given, given, callMs + given * eventMs);
    return given;
  });
}

test("chunks whose events take more than a second become smaller, and short ones larger up to the maximum", () => {
  const size = createChunkSize(500);
  expect(calls(size, 2, 10, 0)).toEqual([500, 500]);
  // The call with one event shows that the events need the time.
  expect(calls(size, 5, 10, 7)).toEqual([500, 1, 500, 250, 125]);
  expect(calls(size, 4, 10, 0)).toEqual([125, 250, 500, 500]);
});

test("after a failure the size is 1, and grows again while calls are short", () => {
  const size = createChunkSize(500);
  size.failed();
  expect(calls(size, 5, 10, 0)).toEqual([1, 2, 4, 8, 16]);
});

test("a database that needs seconds for each call gets as many events in a call as a fast one", () => {
  const size = createChunkSize(64);
  expect(calls(size, 9, 3_000, 1)).toEqual([64, 1, 64, 64, 64, 64, 64, 1, 64]);
  size.failed();
  expect(calls(size, 7, 3_000, 1)).toEqual([1, 2, 4, 8, 16, 32, 1]);
  expect(calls(size, 2, 3_000, 1)).toEqual([64, 64]);
});

test("slow calls with few events leave the size for the time when many wait", () => {
  const size = createChunkSize(64);
  for (const events of [1, 1, 2, 1, 3]) size.succeeded(events, events, 3_000);
  expect(size.get()).toBe(64);
});

test("one slow call with one event does not let the later ones take long", () => {
  const size = createChunkSize(500);
  size.succeeded(1, 1, 8_000);
  expect(calls(size, 9, 10, 14)).toEqual([500, 500, 500, 500, 500, 1, 500, 250, 125]);
});

test("a chunk that handled only its first event in a long time becomes smaller", () => {
  const size = createChunkSize(64);
  size.succeeded(1, 1, 10);
  size.succeeded(64, 1, 7_100);
  expect(size.get()).toBe(1);
});

test("events that take long one by one are handled one or two at a time", () => {
  const size = createChunkSize(8);
  expect(calls(size, 10, 10, 900)).toEqual([8, 1, 8, 4, 2, 2, 2, 1, 2, 2]);
});
