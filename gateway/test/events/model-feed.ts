import {
  type FeedEntry,
  FeedEntrySchema,
  FeedService,
  FeedWatchService,
} from "@asset-register/proto/assetregister/notification/v1/feed_pb";
import { eventTypes, eventTypesOf } from "@asset-register/proto/event-types";
import { decodeFeedCursor, encodeFeedCursor, feedMark } from "@asset-register/proto/feed-cursor";
import { holds, type Implementation, type Principal } from "@asset-register/rpc";
import { AppError, notFound, unavailable } from "@asset-register/runtime";
import { serving } from "@asset-register/service-harness";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";

/** Event feeds in memory, with the rules of the service notification. */
export type ModelFeeds = {
  implementations: Implementation[];
  /** Adds an entry. Returns it. */
  add(workspaceId: string, type?: string, assetId?: string, note?: string): FeedEntry;
  entries(workspaceId: string): FeedEntry[];
  /** Removes entries from the beginning of a feed. */
  forget(workspaceId: string, count: number): void;
  /** Replaces the newest entries by others, as a restore of a backup does. */
  restore(workspaceId: string, lost: number): void;
  listHeads(request: { workspaceIds: string[] }): { heads: Head[] };
  readEntries(request: { workspaceId: string; after: string }): Read;
  list(workspaceId: string, principal: Principal | undefined, request: ListRequest): Listed;
  /** While it is set, each call fails. */
  isUnavailable: boolean;
  /** Calls of each RPC. */
  calls: { listEntries: number; readEntries: number; listHeads: number };
  /** Entries in one answer to the watch. */
  pageSize: number;
};

type Head = { workspaceId: string; seq: bigint; cursor: string };
type Read = { entries: FeedEntry[]; hasMore: boolean };
type Listed = Read & { nextAfter: string };
type ListRequest = {
  after?: string | undefined;
  types: string[];
  assetId?: string | undefined;
  limit?: number | undefined;
};

let ids = 0;

export function createModelFeeds(): ModelFeeds {
  const feeds = new Map<string, { first: number; entries: FeedEntry[] }>();
  const feedOf = (workspaceId: string) => {
    const feed = feeds.get(workspaceId) ?? { first: 1, entries: [] };
    feeds.set(workspaceId, feed);
    return feed;
  };
  const headOf = (workspaceId: string): Head => {
    const last = feedOf(workspaceId).entries.at(-1);
    const empty = { workspaceId, seq: 0n, cursor: encodeFeedCursor({ workspaceId, seq: 0, mark: "" }) };
    return last === undefined ? empty : { workspaceId, seq: last.seq, cursor: last.cursor };
  };

  /** The entries after a cursor. */
  function after(workspaceId: string, cursor: string): FeedEntry[] {
    const { first, entries } = feedOf(workspaceId);
    const place = decodeFeedCursor(workspaceId, cursor);
    if (place === undefined) throw new Error("The gateway refuses such cursors");
    const index = place.seq - first;
    const isKept = place.seq === 0 ? first === 1 : entries[index]?.cursor === cursor;
    if (isKept) return entries.slice(index + 1);
    const message = entries[0]?.cursor ?? "";
    throw new AppError({
      ...{ kind: "not_found", code: "CURSOR_EXPIRED", message: "Not kept any more." },
      violations: [{ field: "oldest_cursor", message }],
    });
  }

  const feed: ModelFeeds = {
    implementations: [],
    isUnavailable: false,
    calls: { listEntries: 0, readEntries: 0, listHeads: 0 },
    pageSize: 500,
    add(workspaceId, type = "asset.created", assetId = "ast_1", note) {
      const { first, entries } = feedOf(workspaceId);
      const seq = first + entries.length;
      ids += 1;
      const id = `msg_${String(ids).padStart(26, "0").split("").reverse().join("")}`;
      const entry = create(FeedEntrySchema, {
        ...{ id, type, workspaceId, assetId, seq: BigInt(seq) },
        timestamp: timestampFromDate(new Date(Date.UTC(2026, 0, 1) + seq)),
        data: JSON.stringify({ seq, asset_id: assetId, note }),
        cursor: encodeFeedCursor({ workspaceId, seq, mark: feedMark(id) }),
      });
      entries.push(entry);
      return entry;
    },
    entries: (workspaceId) => feedOf(workspaceId).entries,
    forget(workspaceId, count) {
      const one = feedOf(workspaceId);
      one.first += count;
      one.entries.splice(0, count);
    },
    restore(workspaceId, lost) {
      feedOf(workspaceId).entries.splice(-lost);
      for (let index = 0; index < lost; index += 1) feed.add(workspaceId);
    },
    listHeads: ({ workspaceIds }) => ({ heads: workspaceIds.map(headOf) }),
    readEntries({ workspaceId, after: cursor }) {
      const next = after(workspaceId, cursor);
      return { entries: next.slice(0, feed.pageSize), hasMore: next.length > feed.pageSize };
    },
    list(workspaceId, principal, { after: cursor, types, assetId, limit = 100 }) {
      const head = headOf(workspaceId).cursor;
      if (cursor === "latest") return { entries: [], nextAfter: head, hasMore: false };
      const all = cursor === undefined ? feedOf(workspaceId).entries : after(workspaceId, cursor);
      const wanted = new Set(types.flatMap(eventTypesOf));
      const found = all.filter(
        (entry) =>
          (types.length === 0 || wanted.has(entry.type as keyof typeof eventTypes)) &&
          (assetId === undefined || assetId === entry.assetId) &&
          (principal?.kind !== "user" ||
            holds(principal, eventTypes[entry.type as keyof typeof eventTypes] ?? "view")),
      );
      const entries = found.slice(0, limit);
      const hasMore = found.length > limit;
      return { entries, hasMore, nextAfter: hasMore ? (entries.at(-1)?.cursor ?? head) : head };
    },
  };

  const counted = <T>(rpc: keyof ModelFeeds["calls"], answer: () => T): T => {
    feed.calls[rpc] += 1;
    if (feed.isUnavailable) throw unavailable();
    return answer();
  };
  feed.implementations = [
    serving(FeedService, {
      listEntries: (request, { principal, workspaceId }) =>
        counted("listEntries", () => feed.list(workspaceId, principal, request)),
      getEntry: ({ id }, { workspaceId }) => {
        const entry = feedOf(workspaceId).entries.find((one) => one.id === id);
        if (entry === undefined) throw notFound("event");
        return { entry };
      },
    }),
    serving(FeedWatchService, {
      listHeads: (request) => counted("listHeads", () => feed.listHeads(request)),
      readEntries: (request) => counted("readEntries", () => feed.readEntries(request)),
    }),
  ];
  return feed;
}
