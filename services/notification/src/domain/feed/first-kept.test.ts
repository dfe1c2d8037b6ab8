import fc from "fast-check";
import { expect, test } from "vitest";
import { firstKept } from "./first-kept.ts";

test("firstKept finds the first entry that has not expired, never passes the newest, and reads few", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(10_000), fc.nat(10_000), fc.nat(20_000), async (start, length, expired) => {
      const [first, last] = [start + 1, start + 1 + length];
      let asked = 0;
      const found = await firstKept({ first, last }, async (seq) => {
        asked += 1;
        expect(seq >= first && seq <= last).toBe(true);
        return seq <= expired;
      });
      expect(found).toBe(Math.max(first, Math.min(expired + 1, last)));
      expect(asked).toBeLessThanOrEqual(16);
    }),
  );
});
