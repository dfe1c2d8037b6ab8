import { expect, test } from "vitest";
import { type ClonedRead, cloneFacts, timeSpan } from "./clone-facts.ts";

const read = (at: string) => ({ at }) as ClonedRead;

test("the reads of a clone are in their order, with the seconds between them", () => {
  const [older, newer] = [read("2026-11-27T09:00:00.000Z"), read("2026-11-27T09:01:30.500Z")];
  expect(cloneFacts({ reads: [older, newer], travel_seconds: 300 })).toEqual({
    ...{ older, newer, apart: 90.5, travel: 300 },
  });
  expect(cloneFacts({ reads: [older], travel_seconds: 300 })).toBeUndefined();
});

test("a time is in its two largest units, and in the language of the user", () => {
  const spans: [number, string, string][] = [
    [0, "0 seconds", "0 Sekunden"],
    [12.54, "12.5 seconds", "12,5 Sekunden"],
    [1, "1 second", "1 Sekunde"],
    [90.4, "1 minute, 30 seconds", "1 Minute, 30 Sekunden"],
    [300, "5 minutes", "5 Minuten"],
    [5_400, "1 hour, 30 minutes", "1 Stunde, 30 Minuten"],
    [7_205, "2 hours", "2 Stunden"],
    [604_800, "7 days", "7 Tage"],
  ];
  for (const [seconds, en, de] of spans) {
    expect([timeSpan("en", seconds), timeSpan("de", seconds)]).toEqual([en, de]);
  }
});
