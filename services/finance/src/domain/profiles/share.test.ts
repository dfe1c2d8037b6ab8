import { expect, test } from "vitest";
import { shareOf } from "./share.ts";

test("a share is rounded half up, and the last weight takes everything", () => {
  expect([shareOf(5, 1, 2), shareOf(4, 1, 3), shareOf(5, 2, 2), shareOf(5, 3, 2)]).toEqual([3, 1, 5, 5]);
});

test("nothing is shared of a negative amount, or for no weight", () => {
  expect([shareOf(-5, 1, 2), shareOf(5, -1, 2), shareOf(5, 0, 2), shareOf(5, 0, 0)]).toEqual([0, 0, 0, 0]);
});
