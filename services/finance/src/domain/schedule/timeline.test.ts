import { expect, test } from "vitest";
import { changeOf, profileWith } from "../../../test/schedules.ts";
import { monthIndex, periodAt } from "./period.ts";
import { lastRestart, stretchAt, timelineOf } from "./timeline.ts";

const timeline = timelineOf(
  profileWith(
    {},
    {
      changes: [
        changeOf("2027-09-01", { cost: 150_000 }),
        changeOf("2027-03-01", { salvage: 5000 }, { amount: 1000, on: "2027-06-20" }),
        changeOf("2027-04-01", {}, { amount: 1000, on: "2027-05-10" }),
        changeOf("2027-07-01", { heldForSaleOn: "2027-07-15" }),
        changeOf("2027-08-01", {}, undefined, ["heldForSaleOn"]),
      ],
    },
  ),
);

test("values are in force from the month of their change, in the order of months", () => {
  expect(timeline.stretches.slice(1).map(({ from }) => periodAt(from))).toEqual([
    ...["2027-03", "2027-07", "2027-08", "2027-09"],
  ]);
  const { inputs } = stretchAt(timeline, monthIndex("2027-08"));
  expect(inputs).toMatchObject({ cost: 120_000, salvage: 5000, heldForSaleOn: undefined });
});

test("amounts start again with a changed value, an impairment and the end of a time held for sale", () => {
  expect(timeline.restarts.map(periodAt)).toEqual(["2027-03", "2027-05", "2027-06", "2027-08", "2027-09"]);
});

test("a restart counts from its own month, and not before a later beginning", () => {
  const last = (month: string, floor: string) =>
    periodAt(lastRestart(timeline, monthIndex(month), monthIndex(floor)));
  expect(last("2027-05", "2027-01")).toBe("2027-05");
  expect(last("2027-04", "2027-01")).toBe("2027-03");
  expect(last("2027-07", "2027-07")).toBe("2027-07");
  expect(last("2027-02", "2027-01")).toBe("2027-01");
});

test("impairments are in the order of their days", () => {
  expect(timeline.impairments.map(({ on }) => on)).toEqual(["2027-05-10", "2027-06-20"]);
});

test("a profile without its creation is an error of the program", () => {
  expect(() => timelineOf({ fiscalYearStart: 1, changes: [] })).toThrow(
    new RangeError("a profile has its creation as its first change"),
  );
});
