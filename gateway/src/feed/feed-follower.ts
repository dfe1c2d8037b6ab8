import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "@asset-register/runtime";
import { admits, type FeedFilter } from "./feed-filter.ts";
import type { FeedItem, FeedPlace } from "./feed-item.ts";
import type { FeedMemory } from "./feed-memory.ts";
import type { FeedWatch } from "./feed-watch.ts";

/** A page of entries of one client, already filtered. `place` is where the next page begins. */
export type FeedPage = { items: FeedItem[]; place: FeedPlace; hasMore: boolean };

/** The receiver of the entries: a stream, or a request that waits. */
export type FeedSink = {
  /** Returns whether it takes more. If not, it calls `resume` of its follower when it does. */
  take(item: FeedItem): boolean;
  /** All entries that there are at this moment were taken. */
  flush(): void;
  /** The feed can't be followed any more. */
  failed(error: unknown): void;
};

/** Follows the feed of a workspace for one client, from a place on: no entry is left out, none comes twice. */
export type FeedFollower = {
  /** Begins, after the page that the client has got. */
  start(page: FeedPage): void;
  /** The watch has new entries. */
  advance(): void;
  /** The sink takes more. */
  resume(): void;
  lost(): void;
  stop(): void;
  /** The end of what the sink has got, without what the filter leaves out. */
  place(): FeedPlace;
  /** Whether the sink has got everything that is known here. */
  isUpToDate(): boolean;
};

type Parts = {
  workspaceId: string;
  filter: FeedFilter;
  watch: Pick<FeedWatch, "join" | "leave">;
  /** Reads a page after a cursor. */
  readPage(after: string): Promise<FeedPage>;
  sink: FeedSink;
};

const RETRY_MS = 1_000;

/** Creates a follower. It reads pages until it meets the memory of the watch, and continues from there. */
export function createFollower({ workspaceId, filter, watch, readPage, sink }: Parts): FeedFollower {
  let place: FeedPlace = { seq: 0, cursor: "" };
  /** Undefined while it reads pages. */
  let memory: FeedMemory | undefined;
  let page: FeedPage | undefined;
  /** How many entries of the page the sink has taken. */
  let taken = 0;
  let reading = false;
  /** Reads in a row that had nothing and did not meet the memory. */
  let emptyReads = 0;
  /** The sink takes no more at the moment. */
  let full = false;
  let stopped = false;

  const stop = (): void => {
    stopped = true;
    watch.leave(workspaceId, follower);
  };
  const fail = (error: unknown): void => {
    if (stopped) return;
    stop();
    sink.failed(error);
  };
  const reached = ({ seq, cursor }: FeedPlace): void => {
    place = { seq, cursor };
  };

  function take(item: FeedItem): void {
    reached(item);
    if (!sink.take(item)) full = true;
  }

  function advance(): void {
    if (stopped || full) return;
    if (memory === undefined) advancePages();
    else advanceInMemory(memory);
  }

  function advancePages(): void {
    if (reading || page === undefined) return;
    const { items, place: end, hasMore } = page;
    while (taken < items.length && !full && !stopped) {
      const item = items[taken];
      taken += 1;
      if (item !== undefined) take(item);
    }
    if (stopped) return;
    const isTaken = taken === items.length;
    emptyReads = items.length === 0 && end.cursor === place.cursor ? emptyReads + 1 : 0;
    if (isTaken) {
      reached(end);
      page = undefined;
      if (!hasMore) memory = watch.join(workspaceId, place, follower);
    }
    sink.flush();
    if (!isTaken || stopped) return;
    if (memory === undefined) void readNext();
    else advance();
  }

  async function readNext(): Promise<void> {
    reading = true;
    // After a restore the memory begins after the end of the feed, until the watch knows.
    if (emptyReads > 1) await sleep(RETRY_MS);
    while (page === undefined && !stopped) {
      try {
        page = await readPage(place.cursor);
      } catch (error) {
        // The client goes on when the service is available again.
        if (!(error instanceof AppError && error.kind === "unavailable")) return fail(error);
        await sleep(RETRY_MS);
      }
    }
    reading = false;
    taken = 0;
    advance();
  }

  function advanceInMemory(current: FeedMemory): void {
    const begin = current.indexAfter(place);
    if (begin === undefined) {
      // The sink was so slow that the memory has forgotten what comes next.
      watch.leave(workspaceId, follower);
      memory = undefined;
      void readNext();
      return;
    }
    for (let index = begin; index < current.size() && !full && !stopped; index += 1) {
      const item = current.at(index);
      if (item === undefined) break;
      if (admits(filter, item)) take(item);
      else reached(item);
    }
    if (!stopped) sink.flush();
  }

  const follower: FeedFollower = {
    start(first) {
      page = first;
      advance();
    },
    advance,
    resume() {
      full = false;
      advance();
    },
    lost: () => fail(new Error("The feed is another one than before")),
    stop,
    place: () => place,
    isUpToDate: () => memory !== undefined && memory.indexAfter(place) === memory.size(),
  };
  return follower;
}
