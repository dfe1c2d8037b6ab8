import { FEED_CHANNEL } from "@asset-register/proto/feed-channel";
import { expect, test } from "vitest";
import { createFeedNews } from "./news.ts";

test("news that Redis does not take are counted, and never fail the caller", async () => {
  const failed = Promise.withResolvers<unknown[]>();
  const published: string[][] = [];
  const announce = createFeedNews(
    {
      async publish(...args) {
        published.push(args);
        throw new Error("Redis is unavailable");
      },
    },
    (...args) => failed.resolve(args),
  );
  expect(announce({ workspaceId: "wsp_1", seq: 7 })).toBeUndefined();
  expect(published).toEqual([[FEED_CHANNEL, "7 wsp_1"]]);
  expect(await failed.promise).toEqual(["feed_news", new Error("Redis is unavailable")]);
});
