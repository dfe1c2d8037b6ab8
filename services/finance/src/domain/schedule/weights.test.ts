import { expect, test } from "vitest";
import { inputsOf } from "../../../test/schedules.ts";
import { lifeOf } from "./conventions.ts";
import { monthIndex } from "./period.ts";
import { dayWeights, evenWeights, firstYearWeights, type Weights, weightsFrom } from "./weights.ts";

const even = evenWeights({ first: 5, last: 8, unit: 2, firstWeight: 1, lastWeight: 1 });

test.each<[string, Weights, number[]]>([
  ["whole months", evenWeights({ first: 5, last: 7, unit: 1 }), [1, 1, 1]],
  ["half a month at both ends", even, [1, 2, 2, 1]],
  [
    "a single month, of which a half counts",
    evenWeights({ first: 5, last: 5, unit: 2, firstWeight: 1, lastWeight: 1 }),
    [1],
  ],
  [
    "2 months of a first year at 3, then 10 at 4 a month",
    firstYearWeights({ first: 5, months: 2, each: 3, unit: 4, rest: 10 }),
    [3, 3, 4, 4, 2],
  ],
  [
    "a life that ends with its first year",
    firstYearWeights({ first: 5, months: 2, each: 3, unit: 4, rest: 0 }),
    [3, 3],
  ],
  [
    "days from the 3rd of a month of 10 to the 4th of another",
    dayWeights({ first: 5, last: 7, start: 52, end: 74, dayOf: (month) => month * 10 }),
    [8, 10, 4],
  ],
])(
  "%s: a month outside the life weighs nothing, and the sum from a month is that of all after it",
  (_, weights, all) => {
    expect([weights.first, weights.last]).toEqual([5, 5 + all.length - 1]);
    const expected = [0, 0, ...all, 0, 0];
    expected.forEach((weight, index) => {
      const month = 3 + index;
      expect(weights.weight(month), `weight of month ${month}`).toBe(weight);
      const left = expected.slice(index).reduce((sum, one) => sum + one, 0);
      expect(weights.sumFrom(month), `sum from month ${month}`).toBe(left);
    });
  },
);

test("from an opening on, the months before it weigh nothing and its own month has its own weight", () => {
  const left = weightsFrom(even, 6, 1);
  expect([5, 6, 7, 8, 9].map(left.weight)).toEqual([0, 1, 2, 1, 0]);
  expect([4, 5, 6, 7, 8, 9].map(left.sumFrom)).toEqual([4, 4, 4, 3, 1, 0]);
});

test("an opening on the in-service date is no opening", () => {
  const inputs = inputsOf({ inServiceDate: "2027-01-01", openingAccumulated: 100, openingOn: "2027-01-01" });
  const { whole, left } = lifeOf({ ...inputs, convention: "next_month" }, 1);
  expect(left.first).toBe(monthIndex("2027-02"));
  expect(left).toBe(whole);
});
