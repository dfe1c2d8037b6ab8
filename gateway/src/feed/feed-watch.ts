import { AsyncResource } from "node:async_hooks";
import type { FeedWatchService } from "@asset-register/proto/assetregister/notification/v1/feed_pb";
import type { FeedNews } from "@asset-register/proto/feed-channel";
import { limits } from "@asset-register/proto/limits";
import type { Client } from "@asset-register/rpc";
import { AppError, batches, type Logger } from "@asset-register/runtime";
import { type FeedPlace, toFeedItem } from "./feed-item.ts";
import { createFeedMemory, type FeedMemory } from "./feed-memory.ts";
import { createTurns } from "./turns.ts";

/** A stream or wait that follows a workspace's feed. */
export type Watcher = {
  /** The memory has new entries. */
  advance(): void;
  /** A restore has removed the entries that it got. */
  lost(): void;
};

/**
 * Reads each new entry of the watched workspaces once. A workspace is watched while it has clients, and for half a minute
 * after the last one, because clients return.
 */
export type FeedWatch = {
  /** The newest entries of a workspace. Undefined when it is not watched. */
  memoryOf(workspaceId: string): FeedMemory | undefined;
  /**
   * Calls the client when there are new entries. `place` is the end of the feed, as the client has just read it. Returns
   * undefined when the memory does not reach back to it any more.
   */
  join(workspaceId: string, place: FeedPlace, client: Watcher): FeedMemory | undefined;
  leave(workspaceId: string, client: Watcher): void;
  /** Reads the entries of which Redis has reported the newest one. */
  news(news: FeedNews): void;
  /** Asks how far all watched workspaces are, and reads what is new. Call it once a second. */
  check(): Promise<void>;
};

type Watched = {
  workspaceId: string;
  memory: FeedMemory;
  clients: Set<Watcher>;
  reading: boolean;
  /** The newest seq that is known. */
  known: number;
  /** When the last client left. */
  unusedSince: number;
};

/** Of a process. One reads 500 entries. */
const READS_AT_ONCE = 32;
const KEPT_UNUSED_MS = 30_000;

type Parts = {
  service: Pick<Client<typeof FeedWatchService>, "listHeads" | "readEntries">;
  logger: Logger;
  /** Reads a monotonic clock, in ms. */
  now?: () => number;
  memoryLimits?: Parameters<typeof createFeedMemory>[1];
};

export function createFeedWatch({
  service,
  logger,
  now = () => performance.now(),
  memoryLimits,
}: Parts): FeedWatch {
  const watched = new Map<string, Watched>();
  const inTurn = createTurns(READS_AT_ONCE);
  // A reading belongs to no request, whichever caused it: it has neither its trace nor its deadline.
  const root = new AsyncResource("feed-watch");
  let checking = false;

  const startReading = (one: Watched): void => {
    if (!one.reading) void root.runInAsyncScope(() => read(one));
  };

  async function read(one: Watched): Promise<void> {
    one.reading = true;
    try {
      let more = true;
      while (more && watched.get(one.workspaceId) === one) more = await inTurn(() => readPage(one));
    } catch (error) {
      if (error instanceof AppError && error.code === "CURSOR_EXPIRED") forget(one);
      // The next check reads again.
      else if (!isUnavailable(error)) logger.error({ err: error }, "reading the event feed failed");
    } finally {
      one.reading = false;
    }
  }

  /** Returns whether there is more to read. */
  async function readPage(one: Watched): Promise<boolean> {
    const { workspaceId, memory, clients, known } = one;
    const { entries, hasMore } = await service.readEntries({ workspaceId, after: memory.newest().cursor });
    memory.add(entries.map(toFeedItem));
    for (const client of entries.length > 0 ? [...clients] : []) client.advance();
    memory.trim();
    // News that came during the reading may be newer than its answer. After a restore, what is known is no progress.
    const isProgress = entries.length > 0 || one.known > known;
    return hasMore || (isProgress && one.known > memory.newest().seq);
  }

  /** The feed is another one than before: clients learn that when they come back with their cursors. */
  function forget(one: Watched): void {
    watched.delete(one.workspaceId);
    for (const client of [...one.clients]) client.lost();
  }

  return {
    memoryOf: (workspaceId) => watched.get(workspaceId)?.memory,
    join(workspaceId, place, client) {
      const current = watched.get(workspaceId);
      if (current !== undefined) {
        if (current.memory.indexAfter(place) !== undefined) {
          current.clients.add(client);
          return current.memory;
        }
        if (place.seq < current.memory.oldest().seq) return undefined;
        // The client has just read another entry there.
        forget(current);
      }
      const memory = createFeedMemory(place, memoryLimits);
      const clients = new Set([client]);
      const one = { workspaceId, memory, clients, reading: false, known: place.seq, unusedSince: 0 };
      watched.set(workspaceId, one);
      // Redis may have reported an entry since the client has read its page.
      startReading(one);
      return memory;
    },
    leave(workspaceId, client) {
      const one = watched.get(workspaceId);
      if (one?.clients.delete(client) && one.clients.size === 0) one.unusedSince = now();
    },
    news({ workspaceId, seq }) {
      const one = watched.get(workspaceId);
      if (one === undefined || seq <= one.memory.newest().seq) return;
      one.known = Math.max(one.known, seq);
      startReading(one);
    },
    async check() {
      if (checking) return;
      checking = true;
      try {
        for (const one of watched.values()) {
          if (one.clients.size === 0 && now() - one.unusedSince > KEPT_UNUSED_MS)
            watched.delete(one.workspaceId);
        }
        for (const part of batches([...watched.keys()], limits.ids)) await checkHeads(part);
      } catch (error) {
        if (!isUnavailable(error)) logger.error({ err: error }, "asking for heads of the event feed failed");
      } finally {
        checking = false;
      }
    },
  };

  async function checkHeads(workspaceIds: string[]): Promise<void> {
    const before = new Map(workspaceIds.map((id) => [id, watched.get(id)?.memory.newest()]));
    const { heads } = await service.listHeads({ workspaceIds });
    for (const { workspaceId, seq, cursor } of heads) {
      const one = watched.get(workspaceId);
      // The head differs from the newest entry here: there are new ones, or a restore has removed some. Reading finds out.
      const newest = one?.memory.newest();
      if (one === undefined || newest !== before.get(workspaceId) || cursor === newest?.cursor) continue;
      one.known = Math.max(newest?.seq ?? 0, Number(seq));
      startReading(one);
    }
  }
}

const isUnavailable = (error: unknown): boolean => error instanceof AppError && error.kind === "unavailable";
