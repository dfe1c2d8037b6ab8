import { expect, test } from "vitest";
import { LEAVING_MS, LENGTH_MS, readsAt } from "./simulated-reads.ts";

const tags = ["a", "b", "c", "d"];

test("tags come one after the other, go and come again", () => {
  expect(readsAt(tags, 0)).toEqual(["a"]);
  expect(readsAt(tags, 35_000)).toEqual(["a", "b"]);
  expect(readsAt(tags, 50_000)).toEqual(["b"]);
  expect(readsAt(tags, 125_000)).toEqual(["a", "d"]);
});

test("at the end nothing is read, so that all leave before the reader is revoked", () => {
  expect(readsAt(tags, LENGTH_MS - LEAVING_MS)).toEqual([]);
});
