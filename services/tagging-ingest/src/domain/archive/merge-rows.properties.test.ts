import { Readable } from "node:stream";
import fc from "fast-check";
import { expect, it } from "vitest";
import { mergeRows } from "./merge-rows.ts";

const compare = (a: number, b: number): number => a - b;
const sorted = fc.uniqueArray(fc.nat(50)).map((numbers) => numbers.toSorted(compare));

it("merged streams have each row of both once, in order", async () => {
  await fc.assert(
    fc.asyncProperty(sorted, sorted, async (first, second) => {
      const merged = await Readable.from(mergeRows(stream(first), stream(second), compare)).toArray();
      expect(merged).toEqual([...new Set([...first, ...second])].toSorted(compare));
    }),
  );
});

it("a reader that stops early closes both streams, so that no cursor stays open", async () => {
  const closed: string[] = [];
  async function* open(name: string): AsyncGenerator<number> {
    try {
      for (let next = 0; ; next += 1) yield next;
    } finally {
      closed.push(name);
    }
  }
  for await (const _ of mergeRows(open("first"), open("second"), compare)) break;
  expect(closed.toSorted()).toEqual(["first", "second"]);
});

async function* stream(numbers: readonly number[]): AsyncGenerator<number> {
  yield* numbers;
}
