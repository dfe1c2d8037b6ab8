import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { eventually } from "@asset-register/harness";
import { createMetrics } from "@asset-register/runtime";
import { expect, onTestFinished, test } from "vitest";
import type { FeedFollower, FeedSink } from "../../src/feed/feed-follower.ts";
import { createFeedMetrics } from "../../src/feed/feed-metrics.ts";
import { createFeedStreams } from "../../src/feed/feed-streams.ts";
import { openStream } from "./event-stream.ts";

/** A server whose answers are streams, which the test feeds. Its clock and its ticks are those of the test. */
async function startStreams() {
  let time = 0;
  const metrics = createMetrics({ service: "test" });
  const streams = createFeedStreams(createFeedMetrics(metrics), () => time);
  const sinks: FeedSink[] = [];
  const follower: FeedFollower = {
    ...{ start: () => undefined, advance: () => undefined, resume: () => undefined },
    ...{ lost: () => undefined, stop: () => undefined, isUpToDate: () => true },
    place: () => ({ seq: 7, cursor: "c7" }),
  };
  const server = createServer((_request, raw: ServerResponse) => {
    streams.open({
      ...{ raw, address: "192.0.2.1", headers: { "content-type": "text/event-stream" } },
      page: { items: [], place: { seq: 7, cursor: "c7" }, hasMore: false },
      hold: () => () => undefined,
      follow(sink) {
        sinks.push(sink);
        return follower;
      },
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    ...{ port, sinks, url: `http://127.0.0.1:${port}/` },
    ended: async () =>
      (await metrics.registry.getSingleMetricAsString("event_streams_ended_total")).split("\n"),
    pass(seconds: number) {
      for (let second = 0; second < seconds; second += 1) {
        time += 1_000;
        streams.tick();
      }
    },
  };
}

const frame = (bytes: number) => ({
  ...{ seq: 8, cursor: "c8", type: "asset.created", assetId: undefined, textAt: 0 },
  frame: Buffer.from(`data: "${"x".repeat(bytes)}"\n\n`),
});

test("every 15 s a stream has one comment with the newest cursor, so that a filter that matches nothing does not grow old", async () => {
  const { url, pass } = await startStreams();
  const stream = await openStream(url, "");
  onTestFinished(() => stream.close());
  await eventually(() => expect(stream.text()).toBe("retry: 2000\n\n"));
  pass(45);
  await eventually(() => expect(stream.comments()).toBe(3));
  expect([stream.lastId(), stream.events]).toEqual(["c7", []]);
});

test("after 30 minutes a stream ends with the reason age", async () => {
  const { url, pass, ended } = await startStreams();
  const stream = await openStream(url, "");
  await eventually(() => expect(stream.text()).not.toBe(""));
  pass(29 * 60);
  await eventually(() => expect(stream.comments()).toBe(29 * 4));
  expect(stream.events).toEqual([]);
  pass(61 + 15);
  await stream.ended;
  expect(stream.events).toEqual([{ event: "end", data: { reason: "age" } }]);
  expect(await ended()).toContainEqual(expect.stringMatching(/reason="age".* 1$/));
});

test("a client for which 256 KiB wait gets no more, and is closed without a word if it does not read", async () => {
  const { port, sinks, pass, ended } = await startStreams();
  const socket = connect(port, "127.0.0.1").pause();
  socket.on("error", () => undefined);
  socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
  await eventually(() => expect(sinks).toHaveLength(1));
  let sent = 0;
  while (sinks[0]?.take(frame(16_384))) {
    sinks[0].flush();
    sent += 1;
    // The buffers of the system take some megabytes.
    expect(sent).toBeLessThan(2_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  pass(9);
  expect(await ended()).not.toContainEqual(expect.stringContaining(`reason="slow"`));
  pass(2);
  expect(await ended()).toContainEqual(expect.stringMatching(/reason="slow".* 1$/));
  socket.resume();
  await once(socket, "close");
});
