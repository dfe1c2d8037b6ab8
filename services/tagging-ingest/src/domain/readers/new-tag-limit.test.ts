import fc from "fast-check";
import { expect, it } from "vitest";
import { createNewTagLimit, shareOf } from "./new-tag-limit.ts";

const HOUR_MS = 3_600_000;
const read = (readerId: string, epc: string, receivedAt = HOUR_MS) => ({ readerId, epc, receivedAt });

/** Judges and counts a batch. Returns the codes that were refused. */
const by =
  (limit = createNewTagLimit(), share = 2) =>
  (...reads: ReturnType<typeof read>[]) => {
    const { refused, commit } = limit.judge(0, reads, () => share);
    commit();
    return [...refused].map(({ epc }) => epc);
  };

it("a reader adds as many new tags in an hour as its share, in one batch or several; another reader has its own", () => {
  const take = by();
  expect(take(read("r", "1"), read("r", "2"), read("r", "3"), read("s", "4"))).toEqual(["3"]);
  expect(take(read("r", "5"), read("s", "6"), read("s", "7"))).toEqual(["5", "7"]);
});

it("all reads of a tag that was admitted in the batch are taken, also by a reader that has used its share", () => {
  const take = by();
  expect(take(read("r", "1"), read("r", "1"), read("r", "2"), read("r", "1"))).toEqual([]);
  expect(take(read("s", "8"), read("r", "8"))).toEqual([]);
});

it("a new hour begins with the newest receipt, and does not end when older reads follow", () => {
  const take = by();
  expect(take(read("r", "1"), read("r", "2"))).toEqual([]);
  expect(take(read("r", "3", 2 * HOUR_MS))).toEqual([]);
  expect(take(read("r", "4", HOUR_MS), read("r", "5", HOUR_MS))).toEqual(["5"]);
});

it("a batch that is judged again counts once, and partitions count by themselves", () => {
  const limit = createNewTagLimit();
  const one = [read("r", "1")];
  limit.judge(0, one, () => 1);
  const second = limit.judge(0, one, () => 1);
  expect(second.refused.size).toBe(0);
  second.commit();
  expect(limit.judge(0, [read("r", "2")], () => 1).refused.size).toBe(1);
  expect(limit.judge(1, [read("r", "2")], () => 1).refused.size).toBe(0);
});

it("a limit of 0 takes no new tag", () => {
  expect(by(createNewTagLimit(), 0)(read("r", "1"))).toEqual(["1"]);
});

it("whatever the batches, an hour takes at most the share of each reader, and refuses nothing below it", () => {
  const batches = fc.array(fc.array(fc.tuple(fc.constantFrom("r", "s"), fc.nat(20)), { maxLength: 12 }));
  fc.assert(
    fc.property(batches, fc.nat(6), (all, share) => {
      const limit = createNewTagLimit();
      const stored = new Set<string>();
      const added = new Map<string, number>();
      for (const batch of all) {
        const reads = batch
          .map(([reader, epc]) => read(reader, String(epc)))
          .filter(({ epc }) => !stored.has(epc));
        const { refused, commit } = limit.judge(0, reads, () => share);
        commit();
        for (const one of reads) {
          const count = added.get(one.readerId) ?? 0;
          if (refused.has(one)) expect(count).toBe(share);
          else if (!stored.has(one.epc)) {
            stored.add(one.epc);
            added.set(one.readerId, count + 1);
          }
        }
      }
      for (const count of added.values()) expect(count).toBeLessThanOrEqual(share);
    }),
  );
});

it("each partition has its share, rounded up", () => {
  expect([shareOf(1_000, 12), shareOf(1, 12), shareOf(0, 12), shareOf(5, 0)]).toEqual([84, 1, 0, 5]);
});
