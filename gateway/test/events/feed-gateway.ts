import { testServers } from "@asset-register/harness";
import { encodeFeedNews, FEED_CHANNEL } from "@asset-register/proto/feed-channel";
import { Redis } from "ioredis";
import { onTestFinished } from "vitest";
import { startGateway, type TestGateway, type TestGatewayOptions } from "../gateway.ts";
import { createModelFeeds, type ModelFeeds } from "./model-feed.ts";

export type FeedGateway = { feeds: ModelFeeds; gateway: TestGateway };

/** A gateway in front of feeds that a test fills. */
export async function startFeedGateway(options: TestGatewayOptions = {}): Promise<FeedGateway> {
  const feeds = createModelFeeds();
  return { feeds, gateway: await startGateway({ notification: feeds.implementations, ...options }) };
}

/** One for a single test, which breaks, stops or fills it. */
export async function startOwn(options: TestGatewayOptions = {}): Promise<FeedGateway> {
  const own = await startFeedGateway(options);
  onTestFinished(() => own.gateway.stop());
  return own;
}

/** The Redis of the gateways, and reports of new entries there, as the service sends them. */
export function createReporter() {
  const redis = new Redis(testServers().redisUrl);
  return {
    /** Adds an entry and reports it. */
    async report(feeds: ModelFeeds, workspaceId: string, type?: string, assetId?: string) {
      const entry = feeds.add(workspaceId, type, assetId);
      await redis.publish(FEED_CHANNEL, encodeFeedNews({ workspaceId, seq: Number(entry.seq) }));
      return entry;
    },
    redis,
    stop: () => redis.disconnect(),
  };
}
