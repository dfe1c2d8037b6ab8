import { decodeFeedNews, FEED_CHANNEL, type FeedNews } from "@asset-register/proto/feed-channel";
import { createRedis } from "@asset-register/redis";

/**
 * Subscribes to the news of the event feed, on a connection of its own: a connection with a subscription takes no other
 * command. Without Redis, entries come up to a second later (feed-watch.ts).
 */
export function subscribeToFeed(
  options: Parameters<typeof createRedis>[0],
  { onNews, onConnected }: { onNews: (news: FeedNews) => void; onConnected: () => void },
): { start(): void; stop(): void } {
  const redis = createRedis(options);
  redis.on("ready", () => {
    onConnected();
    redis.subscribe(FEED_CHANNEL).catch(() => undefined);
  });
  redis.on("message", (_channel: string, text: string) => {
    const news = decodeFeedNews(text);
    if (news !== undefined) onNews(news);
  });
  return {
    start: () => void redis.connect().catch(() => undefined),
    stop: () => redis.disconnect(),
  };
}
