import fc from "fast-check";
import { expect, test } from "vitest";
import { createLines } from "./lines.ts";

test("whatever the chunks of a stream are, its lines come out whole and in order", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.array(fc.nat(20)), (words, cuts) => {
      const bytes = Buffer.from(words.join("\n"));
      const lines = createLines(10_000);
      const complete: Buffer[] = [];
      let start = 0;
      for (const cut of [...cuts, bytes.length]) {
        const found = lines.push(bytes.subarray(start, start + cut));
        start = Math.min(start + cut, bytes.length);
        if (found === undefined) continue;
        expect(found.at(-1)).toBe("\n".charCodeAt(0));
        complete.push(found);
      }
      expect(Buffer.concat([...complete, lines.rest()])).toEqual(bytes);
    }),
  );
});

test("a line without an end is refused when it is longer than the limit", () => {
  const lines = createLines(10);
  expect(lines.push(Buffer.from("1234567890"))).toBeUndefined();
  expect(() => lines.push(Buffer.from("1"))).toThrow("longer than 10 bytes");
});
