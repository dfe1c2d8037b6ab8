import { expect, test } from "vitest";
import { decodeFeedNews, encodeFeedNews } from "./feed-channel.ts";

test("news of the feed decode to what was encoded, and any other text is refused", () => {
  const news = { workspaceId: "wsp_01abc", seq: 42 };
  expect(decodeFeedNews(encodeFeedNews(news))).toEqual(news);
  for (const text of [
    "",
    "42",
    "42 ",
    "-1 wsp_1",
    "1.5 wsp_1",
    "1 wsp 1",
    "wsp_1 1",
    `${"9".repeat(16)} wsp_1`,
  ]) {
    expect(decodeFeedNews(text)).toBeUndefined();
  }
});
