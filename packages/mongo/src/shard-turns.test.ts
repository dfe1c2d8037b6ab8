import { expect, test } from "vitest";
import { createShardTurns } from "./shard-turns.ts";

test("each row has one turn before any has another", () => {
  const next = createShardTurns(8);
  for (let round = 0; round < 5; round += 1) {
    const taken = Array.from({ length: 8 }, next);
    expect(taken.toSorted((one, other) => one - other)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  }
});
