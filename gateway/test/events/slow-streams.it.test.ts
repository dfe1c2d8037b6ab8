import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { eventually, startGatewayProcess, testKeys, testServers } from "@asset-register/harness";
import { encodeFeedNews, FEED_CHANNEL } from "@asset-register/proto/feed-channel";
import { startFakeService } from "@asset-register/service-harness";
import { Redis } from "ioredis";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { createAccounts } from "../accounts.ts";
import { gatewaySettings } from "../gateway.ts";
import { openStream } from "./event-stream.ts";
import { createModelFeeds } from "./model-feed.ts";

/** As many as a workspace may have, less one that reads. */
const SLOW = 199;
const KEYS = 10;
const ENTRIES = 3_000;
/** Of an entry's data. What all slow clients miss is 3.6 GB. */
const DATA = "x".repeat(6_000);
/** 256 KiB wait for each, whose frames they share; beside it what the reading of pages leaves to the collector. */
const GROWTH_BYTES = 250 * 1_048_576;

const accounts = createAccounts();
const feeds = createModelFeeds();
const keys = testKeys("gateway", "upstream");
const upstream = await startFakeService("upstream", keys, [
  accounts.implementation,
  ...feeds.implementations,
]);
const gateway = await startGatewayProcess({
  ...gatewaySettings(keys, upstream, upstream),
  ...{ NOTIFICATION_ADDRESS: upstream.address, RATE_LIMIT_BUSINESS: "600000/10000" },
});
const redis = new Redis(testServers().redisUrl);

afterAll(async () => {
  redis.disconnect();
  await gateway.stop();
  await upstream.stop();
});

async function metric(name: string, label = ""): Promise<number> {
  const text = await (await fetch(`${gateway.healthUrl}/metrics`)).text();
  const line = text.split("\n").find((one) => one.startsWith(name) && one.includes(label));
  return Number(line?.split(" ").at(-1) ?? 0);
}

/** A client that asks for a stream and never reads. */
async function openSlow(key: string): Promise<Socket> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname).pause();
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write(`GET /v1/events/stream HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`);
  return socket;
}

test("200 streams whose clients do not read take little memory, are closed, and delay no one who reads", async () => {
  const all = accounts.sameWorkspaceKeys(KEYS, "events:read");
  const workspaceId = accounts.workspaceOf(all[0] ?? "");
  const slow = await Promise.all(
    Array.from({ length: SLOW }, (_, index) => openSlow(all[index % KEYS] ?? "")),
  );
  onTestFinished(() => {
    for (const socket of slow) socket.destroy();
  });
  await eventually(async () => expect(await metric("event_streams_open", 'kind="stream"')).toBe(SLOW));
  const reading = await openStream(`${gateway.url}/v1/events/stream`, all.at(-1) ?? "");
  onTestFinished(() => reading.close());
  await eventually(async () => expect(await metric("event_streams_open", 'kind="stream"')).toBe(SLOW + 1));
  const before = await metric("process_resident_memory_bytes");
  let highest = 0;
  for (let count = 1; count <= ENTRIES; count += 1) {
    const entry = feeds.add(workspaceId, "asset.created", "ast_1", DATA);
    if (count % 100 > 0) continue;
    await redis.publish(FEED_CHANNEL, encodeFeedNews({ workspaceId, seq: Number(entry.seq) }));
    await eventually(() => expect(reading.events).toHaveLength(count));
    highest = Math.max(highest, await metric("process_resident_memory_bytes"));
  }
  expect(reading.events.map(({ id }) => id)).toEqual(feeds.entries(workspaceId).map(({ cursor }) => cursor));
  await eventually(async () => expect(await metric("event_streams_ended_total", 'reason="slow"')).toBe(SLOW));
  expect(highest - before).toBeLessThan(GROWTH_BYTES);
});
