import type { FeedFollower, FeedPage, FeedSink } from "./feed-follower.ts";
import type { FeedItem } from "./feed-item.ts";
import type { FeedMetrics } from "./feed-metrics.ts";
import type { Holder } from "./held-credentials.ts";

/** Requests that wait for the next entry. */
export type FeedWaits = {
  /**
   * Waits until there is an entry after an empty page, at most `ms`. Returns the new page, which may be empty.
   *
   * @throws what `verify` throws, when the credential may have ended
   */
  next(wait: NewWait): Promise<FeedPage>;
  /** Ends all waits with empty pages, and later ones at once. */
  drain(): void;
};

type NewWait = {
  /** The empty page that the client would get without waiting. */
  page: FeedPage;
  limit: number;
  ms: number;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  follow(sink: FeedSink): FeedFollower;
  address: string;
  hold(holder: Holder): () => void;
  /** Verifies the credential of the request again. */
  verify(): Promise<unknown>;
};

export function createFeedWaits(metrics: FeedMetrics): FeedWaits {
  const draining = new AbortController();

  async function next({
    page,
    limit,
    ms,
    signal,
    follow,
    address,
    hold,
    verify,
  }: NewWait): Promise<FeedPage> {
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const items: FeedItem[] = [];
    let credentialEnded = false;
    const follower = follow({
      take(item) {
        items.push(item);
        return items.length < limit;
      },
      flush: () => {
        if (items.length > 0) end();
      },
      // The next request learns the reason: 410, or 403.
      failed: () => end(),
    });
    const free = hold({
      address,
      credentialEnded() {
        credentialEnded = true;
        end();
      },
    });
    const timer = setTimeout(end, ms);
    const signals = AbortSignal.any([signal, draining.signal]);
    signals.addEventListener("abort", () => end(), { once: true });
    metrics.opened("wait");
    try {
      follower.start(page);
      if (!signals.aborted) await over;
      if (credentialEnded) {
        follower.stop();
        await verify();
        // The credential is valid, with other rights. The next request reads with them.
        return { items: [], place: page.place, hasMore: true };
      }
      return { items, place: follower.place(), hasMore: !follower.isUpToDate() };
    } finally {
      follower.stop();
      clearTimeout(timer);
      free();
      metrics.closed("wait");
    }
  }

  return { next, drain: () => draining.abort() };
}
