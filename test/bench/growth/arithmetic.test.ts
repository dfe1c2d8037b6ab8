import { expect, test } from "vitest";
import {
  bytesAfter,
  growthOf,
  partitionsFor,
  replicasFor,
  surplusOf,
  withoutRewrites,
} from "./arithmetic.ts";
import { keptByCode, keptByTopic } from "./kept.ts";

const size = (rows: number, bytes: number) => ({ rows, bytes });
const NOTHING = size(0, 0);
const load = { assets: 1_000_000, readsADay: 10_000_000, userDays: 5_000 };

test("growth is the difference of two moments, for each unit; what shrinks has not grown", () => {
  const before = new Map([["a", size(10, 4_000)]]);
  const after = new Map([
    ["a", size(30, 12_000)],
    ["b", size(20, 2_000)],
  ]);
  expect(growthOf("a", before, after, 20)).toEqual(size(1, 400));
  expect(growthOf("b", before, after, 20)).toEqual(size(1, 100));
  expect(growthOf("a", after, before, 20)).toEqual(NOTHING);
});

test("the first reads of an asset count as reads, and only their surplus as the asset's", () => {
  expect(surplusOf(size(11, 3_000), size(1, 250), 10)).toEqual(size(1, 500));
  expect(surplusOf(size(5, 100), size(1, 250), 10)).toEqual(NOTHING);
});

test("reads are kept for their days only, and assets for ever", () => {
  const read = { asset: NOTHING, read: size(1, 200), userDay: NOTHING };
  expect(bytesAfter(read, load, 365, 90)).toBe(200 * 10_000_000 * 90);
  expect(bytesAfter(read, load, 30, 90)).toBe(200 * 10_000_000 * 30);
  expect(bytesAfter(read, load, 365)).toBe(200 * 10_000_000 * 365);
  const asset = { asset: size(1, 1_500), read: NOTHING, userDay: NOTHING };
  expect(bytesAfter(asset, load, 365, 0)).toBe(1_500 * 1_000_000);
  const userDay = { asset: NOTHING, read: NOTHING, userDay: size(9, 3_000) };
  expect(bytesAfter(userDay, load, 365)).toBe(3_000 * 5_000 * 365);
});

test("rows that are written again add nothing; the others have the mean size of all that were added", () => {
  const counts = { assets: 10, reads: 100, userDays: 0 };
  const rewritten = { asset: size(1, 900), read: size(0, 10), userDay: NOTHING };
  expect(withoutRewrites(rewritten, counts)).toEqual({
    asset: size(1, 1_000),
    read: NOTHING,
    userDay: NOTHING,
  });
  const nothing = { asset: NOTHING, read: size(0, 10), userDay: NOTHING };
  expect(withoutRewrites(nothing, counts).read).toEqual(NOTHING);
});

test("replicas are rounded up, and never fewer than a role needs", () => {
  const worker = { cpuUs: 60, cores: 1, busy: 0.6, least: 2 };
  expect(replicasFor(100, worker)).toBe(2);
  expect(replicasFor(100_000, worker)).toBe(10);
  expect(replicasFor(100_001, worker)).toBe(11);
});

test("partitions have a reserve, and are a number that replicas divide", () => {
  expect(partitionsFor(1_000, { cpuUs: 60, reserve: 4 })).toBe(12);
  expect(partitionsFor(100_000, { cpuUs: 60, reserve: 4 })).toBe(24);
  expect(partitionsFor(10_000_000, { cpuUs: 100, reserve: 4 })).toBe(4_000);
});

test("a collection of days is kept as its code keeps it, and a mechanism the same in each service", () => {
  expect(keptByCode("tagging-ingest", "reader_events_{day}")).toMatchObject({ days: 90 });
  expect(keptByCode("register", "outbox")).toEqual(keptByCode("finance", "outbox"));
  expect(keptByCode("register", "assets")).toBeUndefined();
  expect(keptByTopic({ cleanup: "delete", retentionMs: 30 * 86_400_000 })).toEqual({
    days: 30,
    by: "retention",
  });
  expect(keptByTopic({ cleanup: "compact", minCompactionLagMs: 7 * 86_400_000 })).toEqual({
    days: 7,
    by: "compaction",
  });
});
