import { expect, it } from "vitest";
import { addMinutes, healthOf, minuteOf } from "./reader-health.ts";

const now = new Date("2026-01-31T09:30:20.000Z");
const present = minuteOf(now);
const count = (minute: number, accepted: number, rejected = {}, duplicate = 0) => ({
  ...{ minute, accepted, duplicate, rejected },
});

it("the health of a reader counts the last 15 minutes, and no older or later ones", () => {
  const minutes = [
    count(present, 15, { A: 1 }),
    count(present - 14, 7, { A: 2, B: 1 }),
    count(present - 15, 1000, { A: 1000 }),
    count(present + 1, 1000),
  ];
  expect(healthOf(minutes, now)).toEqual({ eventsPerMinute: 1.47, rejectedByCode: { A: 3, B: 1 } });
  expect(healthOf([], now)).toEqual({ eventsPerMinute: 0, rejectedByCode: {} });
});

it("counts of the same minute are added, by code", () => {
  const before = [count(1, 2, { A: 1 }, 1)];
  const more = [count(1, 3, { A: 4, B: 5 }, 2), count(2, 1)];
  expect(addMinutes(before, more)).toEqual([count(1, 5, { A: 5, B: 5 }, 3), count(2, 1)]);
  expect(before).toEqual([count(1, 2, { A: 1 }, 1)]);
});
