import { expect, it } from "vitest";
import { ignoredOf } from "./ignored-counts.ts";

it("the last 15 minutes are added up, the present one included; reasons without a read are left out", () => {
  const now = new Date(100 * 60_000 + 1);
  const minutes = [
    { minute: 85, late: 100 },
    { minute: 86, late: 1, flapping: 2 },
    { minute: 100, late: 2, filtered: 3, below_min_rssi: 0, flapping: 1 },
    { minute: 101, late: 100 },
  ];
  expect(ignoredOf(minutes, now)).toEqual({ ignoredByReason: { late: 3, filtered: 3 }, flapping: 3 });
  expect(ignoredOf([], now)).toEqual({ ignoredByReason: {}, flapping: 0 });
});
