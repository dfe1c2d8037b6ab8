import { expect, test } from "vitest";
import { type Count, lastPage, pageBefore } from "./last-page.ts";

const to = "2026-11-26T00:00:00.000Z";
const month = "2026-10-27T00:00:00.000Z";
const monthBefore = "2026-09-27T00:00:00.000Z";

/** Entries at these times, of which a total counts at most 100. */
const countOf =
  (times: readonly string[]): Count =>
  async ({ from = "", to: before }) => {
    const total = times.filter((at) => at >= from && at < before).length;
    return total > 100 ? { total: 100, total_is_exact: false } : { total };
  };

const times = (count: number, at: string): string[] => Array.from({ length: count }, () => at);

test("with an exact total the last page of all entries is first", async () => {
  expect(await lastPage(countOf(times(99, monthBefore)), to)).toEqual({ to, page: 2 });
});

test("an empty log has one page and none before it", async () => {
  const place = await lastPage(countOf([]), to);
  expect(place).toEqual({ to, page: 1 });
  expect(await pageBefore(countOf([]), place)).toBeUndefined();
});

test("with more entries than a total counts, the last 30 days are first and the older ones follow", async () => {
  const count = countOf([...times(70, monthBefore), ...times(60, month)]);
  const last = await lastPage(count, to);
  expect(last).toEqual({ from: month, to, page: 2 });
  const before = await pageBefore(count, last);
  expect(before).toEqual({ from: month, to, page: 1 });
  expect(before && (await pageBefore(count, before))).toEqual({ to: month, page: 2 });
});

test("30 days without entries are left out", async () => {
  const count = countOf(times(60, monthBefore).concat(times(60, "2026-08-01T00:00:00.000Z")));
  expect(await lastPage(count, to)).toEqual({ from: monthBefore, to: month, page: 2 });
});
