import fc from "fast-check";
import { expect, test } from "vitest";
import { countSeconds, later, ONE_SECOND, secondsAgo, withSecond } from "./seconds.ts";

test("the seconds of the last minute with a read are counted, each once", () => {
  const gaps = fc.array(fc.nat(70), { maxLength: 100 });
  fc.assert(
    fc.property(gaps, fc.integer({ min: 1, max: 60 }), fc.nat(70), (all, length, wait) => {
      let [now, seconds] = [0, ONE_SECOND];
      const read = new Set([now]);
      for (const gap of all) {
        now += gap;
        seconds = withSecond(seconds, gap);
        read.add(now);
      }
      const ago = [...read].map((second) => now - second).filter((by) => by < 60);
      expect(secondsAgo(seconds).toSorted((a, b) => a - b)).toEqual(ago.toSorted((a, b) => a - b));
      now += wait;
      const expected = [...read].filter((second) => second > now - length).length;
      expect(countSeconds(later(seconds, wait), length)).toBe(expected);
    }),
  );
});
