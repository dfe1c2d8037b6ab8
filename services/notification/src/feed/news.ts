import { encodeFeedNews, FEED_CHANNEL, type FeedNews } from "@asset-register/proto/feed-channel";
import type { Fallbacks } from "@asset-register/redis";

/** Reports new entries to the gateways. It never fails: without Redis they find them within a second. */
export type AnnounceEntries = (news: FeedNews) => void;

type Publisher = { publish(channel: string, message: string): Promise<unknown> };

export function createFeedNews(redis: Publisher, reportFallback: Fallbacks): AnnounceEntries {
  return (news) => {
    redis
      .publish(FEED_CHANNEL, encodeFeedNews(news))
      .catch((error: unknown) => reportFallback("feed_news", error));
  };
}
