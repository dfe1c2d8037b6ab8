import { createLogger } from "@asset-register/runtime";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createModelFeeds } from "../../test/events/model-feed.ts";
import { admits, type FeedFilter } from "./feed-filter.ts";
import { createFollower, type FeedFollower, type FeedPage } from "./feed-follower.ts";
import { toFeedItem } from "./feed-item.ts";
import { createFeedWatch } from "./feed-watch.ts";

const WORKSPACE = "wsp_1";
const TYPES = ["asset.created", "checkout.created"];
const logger = createLogger({ service: "gateway", level: "silent" });

/** The steps of a run, in order; the scheduler decides when the calls of it are answered. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("add" as const), type: fc.constantFrom(...TYPES) }) },
  { weight: 2, arbitrary: fc.constant({ kind: "news" as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: "check" as const }) },
  { weight: 3, arbitrary: fc.constant({ kind: "answer" as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("open" as const),
      at: fc.nat(60),
      filtered: fc.boolean(),
      takes: fc.integer({ min: 1, max: 5 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("resume" as const), client: fc.nat(10) }) },
);

type Client = {
  follower: FeedFollower;
  filter: FeedFilter;
  from: number;
  got: number[];
  room: number;
  takes: number;
};

test("property: each client gets every entry of its filter after its place once and in order, whenever pages and memory meet", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(step, { maxLength: 60 }),
      fc.integer({ min: 1, max: 4 }),
      async (scheduler, steps, pageSize) => {
        const feeds = createModelFeeds();
        feeds.pageSize = pageSize;
        const watch = createFeedWatch({
          service: {
            // Answered later, with what there is at the moment of the call.
            readEntries: (request) =>
              scheduler.schedule(Promise.resolve(feeds.readEntries(request as never)) as never),
            listHeads: (request) =>
              scheduler.schedule(Promise.resolve(feeds.listHeads(request as never)) as never),
          },
          ...{ logger, memoryLimits: { maxItems: 5, maxBytes: 1_000_000 } },
        });
        const clients: Client[] = [];
        const newestSeq = () => feeds.entries(WORKSPACE).length;

        const read = async (after: string, filter: FeedFilter): Promise<FeedPage> => {
          const types = filter.types === undefined ? [] : [...filter.types];
          const { entries, nextAfter, hasMore } = feeds.list(WORKSPACE, undefined, {
            after,
            types,
            limit: pageSize,
          });
          const seq =
            nextAfter === feeds.entries(WORKSPACE).at(-1)?.cursor
              ? newestSeq()
              : Number(entries.at(-1)?.seq ?? 0);
          return scheduler.schedule(
            Promise.resolve({ items: entries.map(toFeedItem), place: { seq, cursor: nextAfter }, hasMore }),
          );
        };

        const open = (at: number, filtered: boolean, takes: number): void => {
          const from = Math.min(at, newestSeq());
          const filter = { types: filtered ? new Set(["asset.created"]) : undefined, assetId: undefined };
          const client: Client = { filter, from, got: [], room: takes, takes, follower: undefined as never };
          client.follower = createFollower({
            ...{ workspaceId: WORKSPACE, filter, watch },
            readPage: (after) => read(after, filter),
            sink: {
              take(item) {
                expect(client.room).toBeGreaterThan(0);
                client.got.push(item.seq);
                client.room -= 1;
                return client.room > 0;
              },
              flush: () => undefined,
              failed: (error) => {
                throw error;
              },
            },
          });
          clients.push(client);
          const begin =
            from === 0
              ? { seq: 0, cursor: EMPTY }
              : { seq: from, cursor: feeds.entries(WORKSPACE)[from - 1]?.cursor ?? "" };
          client.follower.start({ items: [], place: begin, hasMore: true });
        };
        const resume = (client: Client | undefined): void => {
          if (client === undefined || client.room > 0) return;
          client.room = client.takes;
          client.follower.resume();
        };

        for (const one of steps) {
          if (one.kind === "add") feeds.add(WORKSPACE, one.type);
          if (one.kind === "news") watch.news({ workspaceId: WORKSPACE, seq: newestSeq() });
          if (one.kind === "check") void watch.check();
          if (one.kind === "answer" && scheduler.count() > 0) await scheduler.waitOne();
          if (one.kind === "open") open(one.at, one.filtered, one.takes);
          if (one.kind === "resume") resume(clients[one.client]);
          await Promise.resolve();
        }
        // Everything is answered in the end, and everybody reads on.
        for (let round = 0; round < 200; round += 1) {
          await scheduler.waitIdle();
          for (const client of clients) resume(client);
          if (round % 5 === 0) void watch.check();
          if (scheduler.count() === 0 && round > 20 && clients.every(({ room }) => room > 0) && isComplete())
            break;
        }
        function isComplete(): boolean {
          return clients.every((client) => client.got.length === expected(client).length);
        }
        function expected({ filter, from }: Client): number[] {
          return feeds
            .entries(WORKSPACE)
            .slice(from)
            .map(toFeedItem)
            .filter((item) => admits(filter, item))
            .map(({ seq }) => seq);
        }
        for (const client of clients) expect(client.got).toEqual(expected(client));
      },
    ),
    { numRuns: 300 },
  );
});

/** The cursor before the first entry. */
const EMPTY = createModelFeeds().listHeads({ workspaceIds: [WORKSPACE] }).heads[0]?.cursor ?? "";
