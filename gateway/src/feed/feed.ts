import { setTimeout as sleep } from "node:timers/promises";
import type { FeedNews } from "@asset-register/proto/feed-channel";
import { decodeFeedCursor } from "@asset-register/proto/feed-cursor";
import type { CallOptions } from "@asset-register/rpc";
import { AppError, invalid, type Logger, type Metrics, unavailable } from "@asset-register/runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import { clientAddressOf } from "../client-address.ts";
import type { Clients } from "../clients.ts";
import type { Caller, CredentialKind, Credentials } from "../credentials.ts";
import { callerOf, forward } from "../http/context.ts";
import { whenClosed } from "../http/when-closed.ts";
import { release } from "../plugins/load-shedding.ts";
import type { RateLimiter } from "../rate-limit.ts";
import { type FeedFilter, feedFilter, parseTypes } from "./feed-filter.ts";
import { createFollower, type FeedPage, type FeedSink } from "./feed-follower.ts";
import { type FeedPlace, toFeedItem } from "./feed-item.ts";
import { createFeedLimits } from "./feed-limits.ts";
import { createFeedMetrics } from "./feed-metrics.ts";
import { createFeedStreams } from "./feed-streams.ts";
import { createFeedWaits } from "./feed-waits.ts";
import { createFeedWatch } from "./feed-watch.ts";
import { createHeldCredentials } from "./held-credentials.ts";

/** The place and the filter of a client. */
export type FeedQuery = {
  after?: string | undefined;
  types?: string | undefined;
  asset_id?: string | undefined;
};

/** Pages, waits and streams of the event feed (feed.md). */
export type Feed = {
  /** A page, as soon as it has an entry, and after `wait` seconds in any case. */
  page(
    request: FastifyRequest,
    reply: FastifyReply,
    query: FeedQuery & { limit: number; wait: number },
  ): Promise<FeedPage>;
  /** Answers with a stream. @throws what a page throws, before the first byte */
  stream(request: FastifyRequest, reply: FastifyReply, query: FeedQuery): Promise<void>;
  /** Reads the entries of which Redis has reported the newest one. */
  onNews(news: FeedNews): void;
  /** Redis is available, perhaps again. */
  onConnected(): void;
  start(): void;
  /** Ends streams and waits. New ones are refused. */
  drain(): Promise<void>;
  stop(): void;
};

type Parts = {
  clients: Pick<Clients, "feed" | "feedWatch">;
  credentials: Credentials;
  limiter: RateLimiter;
  maxStreams: number;
  metrics: Metrics;
  logger: Logger;
};

export const LATEST = "latest";
/** Of a page that a stream reads until it meets the newest entries. */
const CATCH_UP = 100;
const TICK_MS = 1_000;
const CHECK_CREDENTIALS_TICKS = 4;
const RETRY_MS = 1_000;

/** The feed that a request follows. */
type Following = {
  workspaceId: string;
  filter: FeedFilter;
  caller: Caller;
  credential: string;
  address: string;
  read(after: string | undefined, limit: number): Promise<FeedPage>;
};

type Wait = { after: string | undefined; limit: number; until: number; signal: AbortSignal };

export function createFeed({ clients, credentials, limiter, maxStreams, metrics, logger }: Parts): Feed {
  const feedMetrics = createFeedMetrics(metrics);
  const watch = createFeedWatch({ service: clients.feedWatch, logger });
  const held = createHeldCredentials(credentials, limiter);
  const streams = createFeedStreams(feedMetrics);
  const waits = createFeedWaits(feedMetrics);
  const takePlace = createFeedLimits(maxStreams);
  let ticks = 0;
  let timer: NodeJS.Timeout | undefined;
  let draining = false;

  function tick(): void {
    ticks += 1;
    held.expire();
    streams.tick();
    void watch.check();
    if (ticks % CHECK_CREDENTIALS_TICKS === 0) void held.check();
  }

  function followingOf(request: FastifyRequest, reply: FastifyReply, query: FeedQuery): Following {
    const caller = callerOf(request);
    const { workspaceId } = caller.principal;
    const types = parseTypes(query.types);
    const filter = feedFilter(caller.principal, types, query.asset_id);
    const options = forward(request, reply);
    return {
      ...{ workspaceId, filter, caller, credential: request.credential ?? "" },
      address: clientAddressOf(request),
      read: (after, limit) =>
        readPage(workspaceId, { after, types, assetId: query.asset_id, limit }, options),
    };
  }

  async function readPage(
    workspaceId: string,
    request: { after: string | undefined; types: string[]; assetId: string | undefined; limit: number },
    options: CallOptions,
  ): Promise<FeedPage> {
    const { entries, nextAfter, hasMore } = await clients.feed.listEntries(request, options);
    return { items: entries.map(toFeedItem), place: placeOf(workspaceId, nextAfter), hasMore };
  }

  const follow =
    ({ workspaceId, filter, read }: Following, limit: number) =>
    (sink: FeedSink) =>
      createFollower({ ...{ workspaceId, filter, watch, sink }, readPage: (after) => read(after, limit) });

  const hold =
    ({ credential, caller }: Following) =>
    (holder: Parameters<typeof held.add>[2]) => {
      held.add(credential, caller, holder);
      return () => held.remove(credential, holder);
    };

  /**
   * A page, or, while the service is unavailable, an empty one at the end of the wait. `isFinal`: its place was not
   * verified, so nothing may follow it.
   */
  async function firstPage(
    { workspaceId, read }: Following,
    { after, limit, until, signal }: Wait,
  ): Promise<FeedPage & { isFinal?: boolean }> {
    const known = after === undefined ? undefined : knownPage(workspaceId, after);
    if (known !== undefined) return known;
    for (let tries = 1; ; tries += 1) {
      try {
        const page = await read(after, limit);
        // The caller's rights may have changed meanwhile: the next request, at once, reads with the present ones.
        if (tries > 1 && after !== undefined)
          return { items: [], place: placeOf(workspaceId, after), hasMore: true };
        return page;
      } catch (error) {
        if (!isUnavailable(error) || after === undefined || after === LATEST) throw error;
        const isOver = performance.now() + RETRY_MS > until || draining || signal.aborted;
        if (isOver) return { items: [], place: placeOf(workspaceId, after), hasMore: false, isFinal: true };
      }
      await sleep(RETRY_MS);
    }
  }

  async function nextPage(following: Following, wait: Wait): Promise<FeedPage> {
    const { credential, caller, address } = following;
    const { limit, until, signal } = wait;
    const page = await firstPage(following, wait);
    const ms = until - performance.now();
    if (page.items.length > 0 || page.hasMore || page.isFinal || ms <= 0) return page;
    return waits.next({
      ...{ page, limit, ms, signal, address },
      follow: follow(following, limit),
      hold: hold(following),
      verify: () => credentials.verifyAgain(kindOf(caller), credential),
    });
  }

  /** An empty page at a place that the memory of a watched workspace has: no call is needed to begin there. */
  function knownPage(workspaceId: string, after: string): FeedPage | undefined {
    const memory = watch.memoryOf(workspaceId);
    if (memory === undefined) return undefined;
    const place = after === LATEST ? memory.newest() : placeOf(workspaceId, after);
    // A newer place than the memory has is not verified.
    if (place.seq > memory.newest().seq || memory.indexAfter(place) === undefined) return undefined;
    return { items: [], place, hasMore: false };
  }

  return {
    async page(request, reply, { limit, wait, ...query }) {
      const { after } = query;
      if (after !== undefined) checkPlace(request, after, "after");
      const following = followingOf(request, reply, query);
      if (wait === 0 || request.method === "HEAD") return following.read(after, limit);
      const freePlace = takePlace(following.caller.principal);
      const client = new AbortController();
      whenClosed(reply, () => client.abort());
      release(request);
      const since = performance.now();
      request.heldSince = since;
      try {
        return await nextPage(following, {
          after,
          limit,
          until: since + wait * 1_000,
          signal: client.signal,
        });
      } finally {
        request.heldMs = performance.now() - since;
        freePlace();
      }
    },

    async stream(request, reply, query) {
      const fromHeader = request.headers["last-event-id"];
      const after =
        typeof fromHeader === "string" && fromHeader !== "" ? fromHeader : (query.after ?? LATEST);
      checkPlace(request, after, after === fromHeader ? "Last-Event-ID" : "after");
      const following = followingOf(request, reply, query);
      const headers = { ...reply.getHeaders(), ...STREAM_HEADERS };
      if (request.method === "HEAD") return void reply.headers(STREAM_HEADERS).send("");
      if (draining) throw unavailable();
      const freePlace = takePlace(following.caller.principal);
      whenClosed(reply, freePlace);
      release(request);
      const page = knownPage(following.workspaceId, after) ?? (await following.read(after, CATCH_UP));
      if (draining) throw unavailable();
      request.heldSince = performance.now();
      reply.hijack();
      streams.open({
        ...{ raw: reply.raw, headers, page, address: following.address },
        follow: follow(following, CATCH_UP),
        hold: hold(following),
      });
    },

    onNews: watch.news,
    onConnected: held.doubt,
    start() {
      timer = setInterval(tick, TICK_MS).unref();
    },
    async drain() {
      draining = true;
      waits.drain();
      await streams.drain();
    },
    stop: () => clearInterval(timer),
  };
}

const STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  // nginx would collect the answer.
  "x-accel-buffering": "no",
  // The answer has no end, so its connection serves no other request. A stopping gateway need not wait for it.
  connection: "close",
};

const isUnavailable = (error: unknown): boolean => error instanceof AppError && error.kind === "unavailable";

const kindOf = ({ principal }: Caller): CredentialKind =>
  principal.kind === "user" ? "access_token" : "api_key";

/** @throws AppError VALIDATION_FAILED that names the field for a text that is no place in the caller's feed */
function checkPlace(request: FastifyRequest, after: string, field: string): void {
  const { workspaceId } = callerOf(request).principal;
  if (after === LATEST || decodeFeedCursor(workspaceId, after) !== undefined) return;
  throw invalid([{ field, message: "is not a cursor of the events of this workspace" }]);
}

function placeOf(workspaceId: string, cursor: string): FeedPlace {
  const place = decodeFeedCursor(workspaceId, cursor);
  if (place === undefined) throw new Error("The feed has returned a cursor of another workspace");
  return { seq: place.seq, cursor };
}
