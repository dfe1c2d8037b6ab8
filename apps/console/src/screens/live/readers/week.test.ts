import { expect, test } from "vitest";
import { shadeOf, weekOf } from "./week.ts";

const row = (at: string, accepted: number) => ({ at, accepted });

test("reads are shown at the day and hour of the workspace's clock", () => {
  const rows = [row("2026-11-22T23:00:00.000Z", 5), row("2026-11-23T00:00:00.000Z", 7)];
  const [monday, , , , , , sunday] = weekOf(rows, "UTC");
  expect([monday?.day, monday?.reads[0], sunday?.reads[23]]).toEqual(["mon", 7, 5]);
  const [inBerlin] = weekOf(rows, "Europe/Berlin");
  expect(inBerlin?.reads.slice(0, 3)).toEqual([5, 7, undefined]);
});

test("of an hour that the time span begins and ends with, the later one is shown", () => {
  const rows = [row("2026-11-16T09:00:00.000Z", 1), row("2026-11-23T09:00:00.000Z", 2)];
  expect(weekOf(rows, "UTC")[0]?.reads[9]).toBe(2);
});

test("no reads have no shade, the most have all, and few are not lost beside many", () => {
  expect([shadeOf(0, 0), shadeOf(0, 9), shadeOf(1, 100), shadeOf(9, 9)]).toEqual([0, 0, 0.1, 1]);
});
