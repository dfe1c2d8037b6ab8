import { createLogger, createMetrics } from "@asset-register/runtime";
import type { EachBatchPayload, KafkaMessage } from "kafkajs";
import { expect, test } from "vitest";
import { state } from "../../test/support-topics.ts";
import { encodeHeaders } from "../kafka/headers.ts";
import { PoisonError } from "./failure.ts";
import type { Incoming } from "./incoming.ts";
import { createConsumerMetrics } from "./metrics.ts";
import { createPartitionWorker } from "./partition-worker.ts";
import type { HandlerContext } from "./subscription.ts";

type Options = {
  handle(events: Incoming[], context: HandlerContext): Promise<void>;
  maxBatch?: number;
  sharedCallMs?: number;
};

/** A worker with one call at a time, whose partitions have all handled an event before. */
async function createWorker({ handle, maxBatch = 500, sharedCallMs = 60_000 }: Options) {
  const calls: string[][] = [];
  const dead: string[] = [];
  let committed: Record<number, string> = {};
  const resolved: Record<number, string> = {};
  const metrics = createMetrics({ service: "test" });
  let commits = 0;
  const worker = createPartitionWorker({
    ...{ group: "group", concurrency: 1, sharedCallMs, stopping: new AbortController().signal },
    logger: createLogger({ service: "test", level: "silent" }),
    metrics: createConsumerMetrics(metrics),
    skips: { isAsked: async () => false, markSkipped: async () => {} },
    sendDeadLetter: async (_, partition, { offset }) => void dead.push(`${partition}/${offset}`),
    subscriptions: new Map([
      [
        state.name,
        {
          ...{ topic: state, maxBatch },
          async handle(events, context) {
            calls.push(events.map(({ subject }) => subject));
            await handle(events, context);
          },
        },
      ],
    ]),
  });
  worker.assigned({ [state.name]: [0, 1, 2, 3] });

  /** Ends when the records of the partition, each the event of a subject, are handled. */
  const batch = (partition: number, ...subjects: string[]) => {
    const first = resolved[partition] === undefined ? 0 : Number(resolved[partition]) + 1;
    return worker.eachBatch({
      batch: {
        topic: state.name,
        partition,
        messages: subjects.map((subject, index) => record(subject, first + index)),
        offsetLag: () => "0",
      },
      resolveOffset(offset: string) {
        resolved[partition] = offset;
      },
      async commitOffsetsIfNecessary() {
        commits += 1;
        committed = { ...resolved };
      },
      pause: () => () => {},
    } as unknown as EachBatchPayload);
  };

  for (const partition of [0, 1, 2, 3]) await batch(partition, "first");
  calls.length = 0;
  commits = 0;
  const pauses = async () =>
    (await metrics.registry.getSingleMetricAsString("consumer_retries_total")).match(/ (\d+)$/m)?.[1];
  return { worker, batch, calls, dead, pauses, committed: () => committed, commits: () => commits };
}

const nothing = async () => {};

const record = (subject: string, index: number): KafkaMessage => ({
  ...{ key: null, value: Buffer.alloc(0), attributes: 0, offset: String(index), timestamp: "1000" },
  headers: encodeHeaders({
    ...{ id: subject, type: "thing.changed", source: "test", workspaceId: "wsp_1", subject },
    ...{ time: new Date(0), sequence: 1, epoch: 0, schema: "Thing" },
  }),
});

test("records of several partitions that come together share a call and a commit, in the order of each partition", async () => {
  const { batch, calls, committed, commits } = await createWorker({ handle: nothing });
  await Promise.all([batch(0, "a1", "a2"), batch(1, "b1"), batch(2, "c1", "c2", "c3")]);
  expect(calls).toEqual([["a1", "a2", "b1", "c1", "c2", "c3"]]);
  expect([committed(), commits()]).toEqual([{ 0: "2", 1: "1", 2: "3", 3: "0" }, 1]);
});

test("the first call of a partition, which may follow a failure of another process, is its own", async () => {
  const { worker, batch, calls } = await createWorker({ handle: nothing });
  worker.assigned({ [state.name]: [0, 1] });
  await Promise.all([batch(0, "a"), batch(1, "b")]);
  expect(calls).toEqual([["a"], ["b"]]);
});

test("a shared call has no more events than a call may have, and at most 200", async () => {
  const many = (count: number) => Array.from({ length: count }, () => "a");
  const small = await createWorker({ handle: nothing, maxBatch: 3 });
  await Promise.all([small.batch(0, "a1", "a2"), small.batch(1, "b1", "b2"), small.batch(2, "c1")]);
  expect(small.calls).toEqual([
    ["a1", "a2", "c1"],
    ["b1", "b2"],
  ]);
  const large = await createWorker({ handle: nothing });
  await Promise.all([large.batch(0, ...many(150)), large.batch(1, ...many(50)), large.batch(2, "c")]);
  expect(large.calls.map(({ length }) => length)).toEqual([200, 1]);
});

test("an event that fails by its content in a shared call becomes a dead letter, and all other events are handled", async () => {
  const handled: string[] = [];
  const { batch, dead, committed } = await createWorker({
    async handle(events) {
      if (events.some(({ subject }) => subject === "bad")) throw new PoisonError("bad");
      handled.push(...events.map(({ subject }) => subject));
    },
  });
  handled.length = 0;
  await Promise.all([batch(0, "a1", "bad", "a3"), batch(1, "b1", "b2")]);
  expect([dead, handled.sort()]).toEqual([["0/2"], ["a1", "a3", "b1", "b2"]]);
  expect(committed()).toMatchObject({ 0: "3", 1: "2" });
});

test("after a shared call that fails each partition has a call of its own, and only the one whose event fails is paused", async () => {
  let isAvailable = false;
  const { batch, calls, pauses } = await createWorker({
    async handle(events) {
      if (!isAvailable && events.some(({ subject }) => subject === "a1")) throw new Error("unavailable");
    },
  });
  const all = Promise.all([batch(0, "a1", "a2"), batch(1, "b1", "b2"), batch(2, "c1")]);
  await expect
    .poll(() => calls)
    .toEqual([["a1", "a2", "b1", "b2", "c1"], ["a1", "a2"], ["b1", "b2"], ["c1"]]);
  await expect.poll(pauses).toBe("1");
  isAvailable = true;
  await all;
  await expect.poll(() => calls.slice(4)).toEqual([["a1"], ["a2"]]);
});

test("a shared call that hangs is aborted, and only the partition of the event that hangs waits", async () => {
  const reasons: unknown[] = [];
  const { batch, calls, committed } = await createWorker({
    sharedCallMs: 20,
    async handle(events, { signal }) {
      if (!events.some(({ subject }) => subject === "hangs")) return;
      signal.addEventListener("abort", () => reasons.push(signal.reason));
      await new Promise(() => {});
    },
  });
  await Promise.all([batch(0, "hangs"), batch(1, "b1")]);
  await expect.poll(committed).toMatchObject({ 0: "0", 1: "1" });
  expect(calls[0]).toEqual(["hangs", "b1"]);
  expect(reasons[0]).toMatchObject({ message: expect.stringContaining("took more than 20 ms") });
});

test("a stop waits for a shared call that is no longer waited for", async () => {
  const held = Promise.withResolvers<void>();
  let hasEnded = false;
  const { worker, batch, committed } = await createWorker({
    sharedCallMs: 20,
    async handle(events) {
      if (events.length < 2) return;
      await held.promise;
      hasEnded = true;
    },
  });
  await Promise.all([batch(0, "a"), batch(1, "b")]);
  await expect.poll(committed).toMatchObject({ 0: "1", 1: "1" });
  const stop = worker.revoke(new Error("stopping"), 60_000);
  expect(hasEnded).toBe(false);
  held.resolve();
  await stop;
  expect(hasEnded).toBe(true);
});
