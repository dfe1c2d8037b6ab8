import { expect, test } from "vitest";
import type { StoredRead } from "../buffer/read-rows.ts";
import { createFormBatch } from "./batch-body.ts";

const RECEIVED = 1_767_225_600_000;
const clock = { at: (monotonic: number) => RECEIVED + 60_000 + monotonic };

const row = (fields: Partial<StoredRead>): StoredRead => ({
  epc: "303435FC8803D056D15B963F",
  count: 1,
  received: RECEIVED,
  monotonic: 7,
  live: true,
  sameBoot: true,
  ...fields,
});
const bodyOf = (rows: StoredRead[], windowMs = 1000) => {
  const { body, ...rest } = createFormBatch(clock, windowMs)(rows);
  return { events: JSON.parse(new TextDecoder().decode(body)).events, count: rest.events, used: rest.used };
};

test("an event has the reader's time, its antenna, RSSI and count", () => {
  const at = RECEIVED - 100;
  expect(bodyOf([row({ at, shiftMs: 0, antenna: 2, rssi: -52.5, count: 3 })])).toEqual({
    events: [{ epc: "303435FC8803D056D15B963F", ts: at, antenna: 2, rssi: -52.5, count: 3 }],
    count: 1,
    used: 1,
  });
});

test("a read that is dated by receipt gets the corrected time of its monotonic time", () => {
  const { events } = bodyOf([row({ at: 1 })]);
  expect(events).toEqual([{ epc: "303435FC8803D056D15B963F", ts: RECEIVED + 60_007 }]);
});

test("after a restart of the machine, a read that is dated by receipt keeps the time that was known then", () => {
  expect(bodyOf([row({ sameBoot: false })]).events[0].ts).toBe(RECEIVED);
});

test("the time of a reader whose clock is known to be off is shifted", () => {
  expect(bodyOf([row({ at: RECEIVED - 500_000, shiftMs: 60_000 })]).events[0].ts).toBe(RECEIVED - 440_000);
});

test("repeats within the window are one event, and all rows are used", () => {
  const rows = [0, 400, 999, 1000].map((ms) => row({ at: RECEIVED + ms, shiftMs: 0 }));
  expect(bodyOf(rows)).toMatchObject({ count: 2, used: 4, events: [{ count: 3 }, { ts: RECEIVED + 1000 }] });
});

test("a batch has at most 1,000 events and less than 1 MiB, also with the longest EPCs", () => {
  const rows = Array.from({ length: 1500 }, (_, index) =>
    row({ epc: index.toString(16).padStart(124, "0").toUpperCase(), rssi: -52.123_456_789, antenna: 65_535 }),
  );
  const { body, events, used } = createFormBatch(clock, 1000)(rows);
  expect([events, used]).toEqual([1000, 1000]);
  expect(body.length).toBeLessThan(262_144);
});
