import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "@asset-register/harness";
import { expect, test } from "vitest";
import { type Incoming, subscribe } from "../src/index.ts";
import { startChild } from "./child.ts";
import { event, log, SHORTEST_SESSION_MS, state, world } from "./support.ts";

const ids = (events: readonly Incoming[]) => events.map(({ subject, sequence }) => `${subject} ${sequence}`);

const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));

/** A few seconds, plus a margin for a busy machine. Each of the faults took a minute, or as long as the handler. */
const SOON_MS = 30_000;

test("a handler that hangs delays neither another topic nor another partition of its topic", async () => {
  const { consumer, publish, relay } = await world();
  const [began, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const handled: string[] = [];
  await consumer({
    concurrency: 1,
    subscriptions: [
      subscribe(log, {
        async handle(events) {
          if (events.some(({ subject }) => subject === "a")) {
            began.resolve();
            await release.promise;
          }
          handled.push(...ids(events));
        },
      }),
      subscribe(state, { handle: async (events) => void handled.push(...ids(events)) }),
    ],
  });
  await relay();
  await publish(event(log, "a", 1));
  await began.promise;
  const started = performance.now();
  await publish(event(state, "other topic", 1));
  await eventually(() => expect(handled).toContain("other topic 1"));
  // It took 15 s when the handler took 15 s. This handler has not ended yet.
  expect(performance.now() - started).toBeLessThan(SOON_MS);
  // The subjects "b" to "e" are in all three partitions. Those in other partitions than "a" are handled.
  for (const subject of ["b", "c", "d", "e"]) await publish(event(log, subject, 1));
  await eventually(() => expect(handled.length).toBeGreaterThan(1));
  expect(handled).not.toContain("a 1");
  release.resolve();
  await publish(event(log, "a", 2));
  await eventually(() => expect(handled).toHaveLength(7));
  expect(handled.filter((id) => id.startsWith("a "))).toEqual(["a 1", "a 2"]);
});

test("after a failure, calls that take long whatever their size get more and more events again", async () => {
  const { consumer, publish, relay } = await world(undefined, { partitions: 1 });
  const sequences = Array.from({ length: 30 }, (_, index) => index + 1);
  const calls: number[][] = [];
  let hasFailed = false;
  await relay();
  for (const sequence of sequences) await publish(event(log, "a", sequence));
  await consumer({
    subscriptions: [
      subscribe(log, {
        maxBatch: 8,
        // As with a slow database.
        async handle(events) {
          if (!hasFailed) {
            hasFailed = true;
            throw new Error("the database is unavailable");
          }
          await sleep(1_050);
          calls.push(events.map(({ sequence }) => sequence));
        },
      }),
    ],
  });
  await eventually(() => expect(calls.flat()).toEqual(sequences));
  // There was one call for each event.
  expect(calls.length).toBeLessThan(15);
});

test("a second member joins while a handler runs: the handler is aborted, and each event is handled once, by one member at a time", async () => {
  const { consumer, publish, relay } = await world(undefined, { partitions: 1 });
  const began = Promise.withResolvers<void>();
  const handled: number[] = [];
  let [isSlow, active, mostActive] = [true, 0, 0];
  const subscription = subscribe(log, {
    maxBatch: 1,
    async handle([incoming], { signal }) {
      active += 1;
      mostActive = Math.max(mostActive, active);
      if (isSlow && incoming?.sequence === 3) {
        began.resolve();
        await untilAborted(signal);
      }
      active -= 1;
      signal.throwIfAborted();
      handled.push(incoming?.sequence ?? 0);
    },
  });
  await relay();
  for (const sequence of [1, 2, 3, 4, 5]) await publish(event(log, "a", sequence));
  await consumer({ subscriptions: [subscription] });
  await began.promise;
  isSlow = false;
  const started = performance.now();
  await consumer({ subscriptions: [subscription] });
  // The group waited for up to a minute for the member that handles.
  expect(performance.now() - started).toBeLessThan(SOON_MS);
  await eventually(() => expect(handled).toEqual([1, 2, 3, 4, 5]));
  expect(mostActive).toBe(1);
});

test("the stop of a consumer ends soon although its handler never ends", async () => {
  const { consumer, publish, relay } = await world();
  const began = Promise.withResolvers<void>();
  const hung = await consumer({
    subscriptions: [
      subscribe(log, {
        handle: () => {
          began.resolve();
          return new Promise(() => {});
        },
      }),
    ],
  });
  await relay();
  await publish(event(log, "a", 1));
  await began.promise;
  const started = performance.now();
  await hung.stop();
  expect(performance.now() - started).toBeLessThan(SOON_MS);
});

test("the stop of a consumer ends soon although its group waits for a member that is frozen", async () => {
  const { consumer, forChild, kafka, prefix, publish, relay } = await world();
  const [began, revoked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const subscription = subscribe(log, {
    async handle(_, { signal }) {
      began.resolve();
      await untilAborted(signal);
      revoked.resolve();
      signal.throwIfAborted();
    },
  });
  const own = await consumer({ sessionTimeoutMs: SHORTEST_SESSION_MS, subscriptions: [subscription] });
  const child = startChild("consumer-child.ts", { ...forChild, sessionTimeoutMs: 60_000 });
  const admin = kafka.kafka.admin();
  await admin.connect();
  await eventually(async () => {
    const { groups } = await admin.describeGroups([`${prefix}group`]);
    expect(groups).toMatchObject([{ state: "Stable", members: [{}, {}] }]);
  });
  await admin.disconnect();
  child.signal("SIGSTOP");
  await relay();
  // In all three partitions, so also in one of this member.
  for (const subject of ["a", "b", "c", "d", "e"]) await publish(event(log, subject, 1));
  await began.promise;
  const third = consumer({ sessionTimeoutMs: SHORTEST_SESSION_MS, subscriptions: [subscription] });
  await revoked.promise;
  const started = performance.now();
  await own.stop();
  expect(performance.now() - started).toBeLessThan(SOON_MS);
  child.signal("SIGCONT");
  await third;
});

test("the group continues without a frozen member after 20 s, although its session is longer", async () => {
  const { consumer, forChild, kafka, prefix, publish, relay } = await world();
  const child = startChild("consumer-child.ts", { ...forChild, sessionTimeoutMs: 300_000 });
  const admin = kafka.kafka.admin();
  await admin.connect();
  await eventually(async () => {
    const { groups } = await admin.describeGroups([`${prefix}group`]);
    expect(groups).toMatchObject([{ state: "Stable", members: [{}] }]);
  });
  await admin.disconnect();
  child.signal("SIGSTOP");
  await relay();
  for (const subject of ["a", "b", "c", "d", "e"]) await publish(event(log, subject, 1));
  const handled: string[] = [];
  const started = performance.now();
  await consumer({
    subscriptions: [subscribe(log, { handle: async (events) => void handled.push(...ids(events)) })],
  });
  await eventually(() => expect(handled).toHaveLength(5));
  // It waited for 60 s.
  expect(performance.now() - started).toBeLessThan(20_000 + SOON_MS);
});
