import fc from "fast-check";
import { expect, it } from "vitest";
import { dayCollection } from "./event-log.ts";

it("the names of day collections sort like days, so old days can be found and dropped as a whole", () => {
  expect(dayCollection(Date.UTC(2026, 0, 31, 23, 59, 59, 999))).toBe("reader_events_20260131");
  fc.assert(
    fc.property(fc.nat(4_000_000_000), fc.nat(4_000_000_000), (a, b) => {
      const [first, second] = [Math.min(a, b) * 1000, Math.max(a, b) * 1000];
      expect(dayCollection(first) <= dayCollection(second)).toBe(true);
    }),
  );
});
