import fc from "fast-check";
import { expect, it } from "vitest";
import { batches } from "./batches.ts";

it("a list is cut into full parts and a shorter last one, in its order", () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 7 }), (items, size) => {
      const parts = batches(items, size);
      expect(parts.flat()).toEqual(items);
      expect(parts.slice(0, -1).every(({ length }) => length === size)).toBe(true);
      expect(parts.every(({ length }) => length > 0 && length <= size)).toBe(true);
    }),
  );
});
