import { decodeFeedNews, FEED_CHANNEL, type FeedNews } from "@asset-register/proto/feed-channel";
import { type CreateRedisOptions, subscribe } from "@asset-register/redis";

/** Subscribes to the news of the event feed. Without Redis, entries come up to a second later (feed-watch.ts). */
export const subscribeToFeed = (
  options: CreateRedisOptions,
  { onNews, onConnected }: { onNews: (news: FeedNews) => void; onConnected: () => void },
): { start(): void; stop(): void } =>
  subscribe(FEED_CHANNEL, options, {
    onConnected,
    onMessage(text) {
      const news = decodeFeedNews(text);
      if (news !== undefined) onNews(news);
    },
  });
