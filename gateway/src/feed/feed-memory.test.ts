import { expect, test } from "vitest";
import type { FeedItem } from "./feed-item.ts";
import { createFeedMemory } from "./feed-memory.ts";

const item = (seq: number, bytes = 10): FeedItem => ({
  ...{ seq, cursor: `c${seq}`, type: "asset.created", assetId: undefined },
  ...{ frame: Buffer.alloc(bytes), textAt: 0 },
});
const items = (first: number, last: number): FeedItem[] =>
  Array.from({ length: last - first + 1 }, (_, index) => item(first + index));

test("the memory reaches back to the place where it began, and to each entry that it has", () => {
  const memory = createFeedMemory({ seq: 5, cursor: "c5" });
  expect(memory.indexAfter({ seq: 5, cursor: "c5" })).toBe(0);
  memory.add(items(6, 8));
  expect([5, 6, 8].map((seq) => memory.indexAfter({ seq, cursor: `c${seq}` }))).toEqual([0, 1, 3]);
  expect(memory.indexAfter({ seq: 4, cursor: "c4" })).toBeUndefined();
  expect(memory.newest()).toMatchObject({ seq: 8, cursor: "c8" });
});

test("a place with the seq of an entry and another cursor is not in the memory: a restore has replaced its entry", () => {
  const memory = createFeedMemory({ seq: 5, cursor: "c5" });
  memory.add(items(6, 7));
  for (const seq of [5, 6, 7]) expect(memory.indexAfter({ seq, cursor: "other" })).toBeUndefined();
});

test("a place that is newer than the memory has nothing after it yet", () => {
  const memory = createFeedMemory({ seq: 5, cursor: "c5" });
  expect(memory.indexAfter({ seq: 7, cursor: "c7" })).toBe(0);
  memory.add(items(6, 8));
  expect(memory.indexAfter({ seq: 7, cursor: "c7" })).toBe(2);
});

test("entries beyond the limits of count and bytes are forgotten, the oldest first", () => {
  const memory = createFeedMemory({ seq: 0, cursor: "" }, { maxItems: 3, maxBytes: 100 });
  memory.add(items(1, 5));
  memory.trim();
  expect([memory.size(), memory.at(0)?.seq]).toEqual([3, 3]);
  expect(memory.indexAfter({ seq: 2, cursor: "c2" })).toBe(0);
  expect(memory.indexAfter({ seq: 1, cursor: "c1" })).toBeUndefined();
  memory.add([item(6, 95)]);
  memory.trim();
  expect([memory.size(), memory.newest().seq]).toEqual([1, 6]);
});

test("an entry that does not follow the newest one is refused: a gap would be invisible to clients", () => {
  const memory = createFeedMemory({ seq: 0, cursor: "" });
  expect(() => memory.add([item(2)])).toThrow("Entry 2 follows 0");
});
