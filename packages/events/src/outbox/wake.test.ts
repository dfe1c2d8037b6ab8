import { createLogger } from "@asset-register/runtime";
import mongoose from "mongoose";
import { expect, onTestFinished, test, vi } from "vitest";
import { createOutboxWake, type FindShards, type Looked } from "./wake.ts";

const never = new AbortController().signal;
const HOUR = 3_600_000;
const logger = createLogger({ service: "test", level: "silent" });

/** Two processes on one channel: the first commits, the second has the relay of shard 1. */
function twoProcesses() {
  const published: string[] = [];
  const listeners: ((text: string) => void)[] = [];
  const news = {
    publish(text: string) {
      published.push(text);
      for (const listener of listeners) listener(text);
    },
    subscribe: (listener: (text: string) => void) => void listeners.push(listener),
  };
  const [writer, relay] = [createOutboxWake(news), createOutboxWake(news)];
  void relay.look(async () => [], { sweepMs: HOUR, logger }, AbortSignal.abort());
  return { writer, relay, published };
}

const wait = (wake: ReturnType<typeof createOutboxWake>, shard: number, since = wake.seen(shard)) =>
  wake.wait(shard, { since, ms: HOUR, from: undefined }, never);

test("a commit wakes the relay of its own process without news", async () => {
  const { relay, published } = twoProcesses();
  relay.hold(1);
  const woken = wait(relay, 1);
  relay.committed([1, 1]);
  await woken;
  expect(published).toEqual([]);
});

test("a commit of a process that does not send the shard wakes the one that does", async () => {
  const { writer, relay, published } = twoProcesses();
  relay.hold(1);
  const woken = wait(relay, 1);
  writer.committed([1, 2]);
  await woken;
  expect(published).toEqual(["1", "2"]);
  expect(relay.seen(2)).toBe(0);
});

test("rows that came between the last read and the wait end the wait at once", async () => {
  const wake = createOutboxWake();
  wake.hold(1);
  const since = wake.seen(1);
  wake.committed([1]);
  await wait(wake, 1, since);
});

test("a shard that was given up is reported to others again", () => {
  const { relay, published } = twoProcesses();
  const release = relay.hold(1);
  release();
  relay.committed([1]);
  expect(published).toEqual(["1"]);
});

test("every sweep looks for all rows of the shards that wait, and the looks in between from where each shard says", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const wake = createOutboxWake();
  const stop = new AbortController();
  const from = new mongoose.mongo.Timestamp({ t: 1, i: 0 });
  const looks: (readonly Looked[])[] = [];
  const woken = wake.wait(1, { since: wake.seen(1), ms: undefined, from }, never);
  const find: FindShards = async (shards) => {
    looks.push(shards);
    vi.advanceTimersByTime(10);
    return looks.length === 3 ? [1] : [];
  };
  const looking = wake.look(find, { sweepMs: 20, logger }, stop.signal);
  await woken;
  stop.abort();
  await looking;
  expect(looks.slice(0, 3)).toEqual([
    [{ shard: 1, from: undefined }],
    [{ shard: 1, from }],
    [{ shard: 1, from: undefined }],
  ]);
});
