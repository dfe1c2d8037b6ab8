import { eventually, privateServer, testServers } from "@asset-register/harness";
import { createLogger, newId } from "@asset-register/runtime";
import { expect, onTestFinished, test } from "vitest";
import { createNews, type News } from "../src/index.ts";

const logger = createLogger({ service: "test", level: "silent" });

function open(channel: string, url: string, onFailed: (error: unknown) => void = () => undefined): News {
  const news = createNews(channel, { url, timeoutMs: 20_000, logger }, onFailed);
  onTestFinished(news.stop);
  news.start();
  return news;
}

test("news reach the other processes of their channel, and what is published twice at once comes once", async () => {
  const { redisUrl } = testServers();
  const [channel, other] = [newId("news"), newId("news")];
  const received: string[] = [];
  open(channel, redisUrl).subscribe((text) => received.push(text));
  const [sender, stranger] = [open(channel, redisUrl), open(other, redisUrl)];
  await eventually(() => {
    sender.publish("ready");
    expect(received).toContain("ready");
  });
  stranger.publish("elsewhere");
  for (const text of ["a", "b", "a"]) sender.publish(text);
  await eventually(() => expect(received).toContain("b"));
  expect(received.filter((text) => text !== "ready")).toEqual(["a", "b"]);
});

test("news that Redis does not take are reported, and both sides find each other again after an outage", async () => {
  const server = await privateServer("redis");
  onTestFinished(() => server.stop());
  const channel = newId("news");
  const received: string[] = [];
  const failed: unknown[] = [];
  open(channel, server.url).subscribe((text) => received.push(text));
  const sender = open(channel, server.url, (error) => failed.push(error));
  await server.kill();
  await eventually(() => {
    sender.publish("lost");
    expect(failed).not.toEqual([]);
  });
  await server.restart();
  await eventually(() => {
    sender.publish("back");
    expect(received).toContain("back");
  });
});
