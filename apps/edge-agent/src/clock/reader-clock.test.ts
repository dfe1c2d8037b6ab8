import { expect, test } from "vitest";
import { createReaderClock } from "./reader-clock.ts";

const START = 1_767_225_600_000;

/** A read each second; `delay` says how old it looks. Returns how each was dated. */
function readEachSecond(seconds: number, delay: (second: number) => number) {
  const clock = createReaderClock();
  const datings = Array.from({ length: seconds }, (_, second) => {
    const received = START + second * 1000;
    return clock.date(received - delay(second), received);
  });
  return { clock, datings };
}

test("the time of a reader whose clock is well is believed", () => {
  const { clock, datings } = readEachSecond(300, (second) => (second % 5) * 300);
  expect(new Set(datings.map((dating) => JSON.stringify(dating)))).toEqual(new Set(['{"shiftMs":0}']));
  expect(clock.offMs()).toBe(0);
});

test("a read without a time is dated by its receipt", () => {
  expect(createReaderClock().date(undefined, START)).toBe("receipt");
});

test("the first read of a clock that was never set is dated by receipt", () => {
  expect(createReaderClock().date(946_684_800_000, START)).toBe("receipt");
});

test("reads of a clock that is more than 2 s ahead are dated by receipt from the first one on", () => {
  const { clock, datings } = readEachSecond(5, () => -3000);
  expect(datings).toEqual(["receipt", "receipt", "receipt", "receipt", "receipt"]);
  expect(clock.offMs()).toBe(3000);
});

test("reads of a clock that is behind are dated by receipt after three stretches with the same delay", () => {
  const { clock, datings } = readEachSecond(120, (second) => 200_000 + (second % 3) * 100);
  expect(datings[10]).toEqual({ shiftMs: 0 });
  expect(datings.at(-1)).toBe("receipt");
  expect(clock.offMs()).toBe(-200_000);
});

test("a reader that sends its own buffer after an outage keeps its times, because its delay shrinks", () => {
  const { datings } = readEachSecond(300, (second) => Math.max(0, 3_600_000 - second * 15_000));
  expect(datings.every((dating) => dating !== "receipt" && dating.shiftMs === 0)).toBe(true);
});

test("buffered reads of a clock that is known to be behind are corrected by its difference", () => {
  const { clock } = readEachSecond(120, () => 60_000);
  const received = START + 121_000;
  expect(clock.date(received - 60_000 - 600_000, received)).toEqual({ shiftMs: 60_000 });
});

test("a clock that was set right is believed again", () => {
  const { clock, datings } = readEachSecond(180, (second) => (second < 100 ? 60_000 : 100));
  expect(datings[90]).toBe("receipt");
  expect(datings.at(-1)).toEqual({ shiftMs: 0 });
  expect(clock.offMs()).toBe(0);
});
