import { decodeFeedCursor, encodeFeedCursor } from "@asset-register/proto/feed-cursor";
import { newId } from "@asset-register/runtime";
import { caller, failure } from "@asset-register/service-harness";
import { afterAll, describe, expect, test } from "vitest";
import type { Context } from "../../src/context.ts";
import { type FeedEntry, placeOf } from "../../src/domain/feed/feed-entry.ts";
import { listEntries } from "../../src/operations/feed/list-entries.ts";
import { readEntries } from "../../src/operations/feed/watch-entries.ts";
import { removeOldEntries } from "../../src/operations/sweeps/remove-old-entries.ts";
import { openContext } from "../context.ts";
import { append, newEntry } from "./feeding.ts";

const context = await openContext({
  send: async () => ({ error: "nothing is sent here", durationMs: 0 }),
  close: async () => undefined,
});
afterAll(() => context.mongo.close());

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => () => new Date(Date.now() - days * DAY_MS);
const { signal } = new AbortController();

/** A sweep that raises the first number, and a later one that removes what is before it. */
async function sweepTwice(days = 0): Promise<void> {
  await removeOldEntries(context, signal);
  const later = () => new Date(Date.now() + days * DAY_MS + 3_600_000);
  await removeOldEntries({ ...context, now: later } satisfies Context, signal);
}

function feedOf(workspaceId: string) {
  const { principal } = caller.apiKey(workspaceId, "events:read");
  const rows = context.mongo.collection<{ _id: string; workspaceId: string; seq: number }>("feed_entries");
  const page = (after?: string) =>
    listEntries(context, { after, types: [], limit: 1000 }, { workspaceId, principal });
  return {
    page,
    rows,
    stored: async () => (await rows.find({ workspaceId }).sort({ seq: 1 }).toArray()).map(({ seq }) => seq),
    add: (count: number, now = daysAgo(0)) =>
      append(
        context,
        workspaceId,
        Array.from({ length: count }, () => newEntry(workspaceId)),
        now,
      ),
    /** The place after each entry. */
    cursors: async () => (await page()).entries.map((entry) => encodeFeedCursor(placeOf(entry))),
  };
}
const seqs = (entries: readonly FeedEntry[]) => entries.map(({ seq }) => seq);

describe("retention", () => {
  test("entries of 31 days ago are removed, from the first on; a cursor of one is 410 and names the oldest cursor", async () => {
    const workspaceId = newId("wsp");
    const feed = feedOf(workspaceId);
    await feed.add(3, daysAgo(40));
    await feed.add(2, daysAgo(32));
    await feed.add(2, daysAgo(30.9));
    await feed.add(1);
    const cursors = await feed.cursors();
    const start = (await readEntries(context, workspaceId, cursors[1]!)).entries;
    expect(seqs(start)).toEqual([3, 4, 5, 6, 7, 8]);

    await removeOldEntries(context, signal);
    // A call that has read the head before goes on.
    expect(await feed.stored()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    // Entry 5 has expired, but a client that has seen it has missed nothing.
    expect(seqs((await feed.page()).entries)).toEqual([5, 6, 7, 8]);
    await sweepTwice();
    expect(await feed.stored()).toEqual([5, 6, 7, 8]);

    for (const cursor of cursors.slice(0, 4)) {
      for (const call of [() => feed.page(cursor), () => readEntries(context, workspaceId, cursor)]) {
        expect(await failure(call())).toMatchObject({
          ...{ code: "CURSOR_EXPIRED", violations: [{ field: "oldest_cursor", message: cursors[4] }] },
        });
      }
    }
    // The oldest cursor leads to each entry of the last 31 days.
    expect(seqs((await feed.page(cursors[4])).entries)).toEqual([6, 7, 8]);
    await feed.add(1);
    expect(seqs((await feed.page(cursors[7])).entries)).toEqual([9]);
  });

  test("the newest entry stays for ever, so its cursor and the numbers go on", async () => {
    const workspaceId = newId("wsp");
    const feed = feedOf(workspaceId);
    await feed.add(2500, daysAgo(100));
    const { nextAfter } = await feed.page((await feed.page()).nextAfter);
    await sweepTwice();
    await sweepTwice(400);
    const stored = await feed.stored();
    expect(stored).toEqual([2499, 2500]);
    const latest = (
      await listEntries(
        context,
        { after: "latest", types: [], limit: 1 },
        { workspaceId, principal: caller.apiKey(workspaceId).principal },
      )
    ).nextAfter;
    expect(decodeFeedCursor(workspaceId, latest)).toMatchObject({ seq: 2500 });
    expect((await failure(feed.page(nextAfter)))?.code).toBe("CURSOR_EXPIRED");
    await feed.add(1);
    // Its reader was away while a sweep ran.
    await sweepTwice();
    expect(seqs((await feed.page(latest)).entries)).toEqual([2501]);
  });

  test("a clock that goes back does not make a gap: entries are as old as the one before", async () => {
    const workspaceId = newId("wsp");
    const feed = feedOf(workspaceId);
    await feed.add(1);
    await feed.add(1, daysAgo(50));
    await feed.add(1);
    await sweepTwice();
    expect(await feed.stored()).toEqual([1, 2, 3]);
  });

  test("a cursor of the place before the first entry is 410 when the first entry is removed", async () => {
    const workspaceId = newId("wsp");
    const feed = feedOf(workspaceId);
    const { nextAfter } = await feed.page("latest");
    await feed.add(2, daysAgo(40));
    await feed.add(1);
    expect(seqs((await feed.page(nextAfter)).entries)).toEqual([1, 2, 3]);
    await sweepTwice();
    expect((await failure(feed.page(nextAfter)))?.code).toBe("CURSOR_EXPIRED");
  });
});

test("a cursor from before a restore is 410, unless the restored feed has its entry", async () => {
  const workspaceId = newId("wsp");
  const feed = feedOf(workspaceId);
  const heads = context.mongo.collection<{ _id: string; workspaceId: string }>("feed_heads");
  await feed.add(2);
  const backup = await heads.findOne({ workspaceId });
  await feed.add(3);
  const cursors = await feed.cursors();
  const { _id, ...fields } = backup!;
  await feed.rows.deleteMany({ workspaceId, seq: { $gt: 2 } });
  await heads.updateOne({ workspaceId, _id }, { $set: fields });

  const expectLost = async () => {
    for (const cursor of cursors.slice(2)) {
      expect((await failure(feed.page(cursor)))?.code).toBe("CURSOR_EXPIRED");
      expect((await failure(readEntries(context, workspaceId, cursor)))?.code).toBe("CURSOR_EXPIRED");
    }
  };
  await expectLost();
  await feed.add(10);
  await expectLost();
  expect(seqs((await feed.page(cursors[1])).entries)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
});

test("pages read no more rows than they return, by the index of their filter, without a sort in memory", async () => {
  const workspaceId = newId("wsp");
  const assetId = newId("ast");
  const entries = Array.from({ length: 3000 }, (_, index) =>
    newEntry(
      workspaceId,
      index % 100 === 0 ? { type: "checkout.created", assetId } : { type: "asset.moved" },
    ),
  );
  await append(context, workspaceId, entries);
  const range = { after: 100, until: 3000 };
  const filters = [
    {},
    { types: ["checkout.created"] },
    { types: ["checkout.created", "checkout.returned", "asset.deleted"] },
    { assetId },
  ];
  for (const filter of filters) {
    const plan = await context.stores.feedEntries.explain(workspaceId, { ...range, ...filter }, 20);
    const { totalDocsExamined, totalKeysExamined } = plan.executionStats;
    expect({ filter, totalDocsExamined }).toEqual({ filter, totalDocsExamined: 20 });
    expect(totalKeysExamined).toBeLessThan(30);
    expect(JSON.stringify(plan.queryPlanner.winningPlan)).not.toContain('"SORT"');
  }
});
