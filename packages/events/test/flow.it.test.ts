import { eventually } from "@asset-register/harness";
import { expect, test } from "vitest";
import { createOutbox, type Incoming, subscribe } from "../src/index.ts";
import { outboxRows } from "../src/outbox/outbox.ts";
import { countOnce, effects } from "./effects.ts";
import { event, expectLog, log, readTopic, state, world } from "./support.ts";

test("a committed event arrives with all its headers and is removed from the outbox", async () => {
  const { consumer, publish, relay, mongo } = await world();
  const seen: Incoming[] = [];
  await consumer({
    subscriptions: [subscribe(log, { handle: async (events) => void seen.push(...events) })],
  });
  await relay();
  await publish(event(log, "a", 1));
  await eventually(() => expect(seen).toHaveLength(1));
  expect(seen[0]).toMatchObject({
    type: "thing.changed",
    workspaceId: "wsp_1",
    subject: "a",
    sequence: 1,
    epoch: 0,
    topic: "log.v1",
    message: { state: { name: "a 1" }, change: { case: "updated" } },
  });
  expect(seen[0]!.id).toMatch(/^msg_/);
  await eventually(async () => expect(await outboxRows(mongo).countDocuments()).toBe(0));
});

test("rows that no process reports are found when the relay looks", async () => {
  const { kafka, mongo, publish, relay } = await world();
  await relay();
  await publish(event(log, "a", 1));
  await expectLog(kafka, log, { "wsp_1:a": [1] });
  // This outbox has no relay that it could wake, as one whose process was killed after its commit.
  const silent = createOutbox(mongo);
  await mongo.transaction({}, (session) => silent.add(session, event(log, "a", 2), event(log, "b", 1)));
  await expectLog(kafka, log, { "wsp_1:a": [1, 2], "wsp_1:b": [1] });
});

test("an event of an aborted transaction is never sent", async () => {
  const { kafka, mongo, outbox, publish, relay } = await world();
  const aborted = mongo.transaction({}, async (session) => {
    await outbox.add(session, event(log, "a", 1));
    throw new Error("the rule is broken");
  });
  await expect(aborted).rejects.toThrow("the rule is broken");
  await relay();
  await publish(event(log, "b", 1));
  await eventually(async () => expect(await outboxRows(mongo).countDocuments()).toBe(0));
  await expectLog(kafka, log, { "wsp_1:b": [1] });
});

test("a value that is too large for Kafka is refused with TOO_LARGE when it is added to the outbox, before the commit", async () => {
  const { publish } = await world();
  const large = { ...event(log, "a", 1), message: { state: { id: "a", name: "x".repeat(900 * 1024) } } };
  await expect(publish(large)).rejects.toMatchObject({ kind: "invalid", code: "TOO_LARGE" });
});

test("three rows of 800 KiB on one partition are sent, although together they are too large for one batch", async () => {
  const { kafka, mongo, publish, relay } = await world(undefined, { partitions: 1 });
  for (const sequence of [1, 2, 3])
    await publish({
      ...event(log, "a", sequence),
      message: { state: { id: "a", name: "x".repeat(800 * 1024) } },
    });
  await relay();
  await eventually(async () => expect(await outboxRows(mongo).countDocuments()).toBe(0));
  await expectLog(kafka, log, { "wsp_1:a": [1, 2, 3] });
});

test("a tombstone arrives without a message", async () => {
  const { consumer, publish, relay } = await world();
  const seen: Incoming[] = [];
  await consumer({
    subscriptions: [subscribe(state, { handle: async (events) => void seen.push(...events) })],
  });
  await relay();
  await publish(event(state, "a", 1), { ...event(state, "a", 2), message: undefined });
  await eventually(() => expect(seen.map(({ message }) => message === undefined)).toEqual([false, true]));
});

test("an event that is delivered twice has its effect once by runOnce", async () => {
  const { consumer, kafka, mongo, publish, relay } = await world();
  await relay();
  await publish(event(log, "a", 1));
  const [record] = await eventually(async () => {
    const records = await readTopic(kafka, log);
    expect(records).toHaveLength(1);
    return records;
  });
  const producer = kafka.kafka.producer();
  await producer.connect();
  const { key, value, headers } = record!;
  await producer.send({ topic: kafka.topicName(log), messages: [{ key, value, headers }] });
  await producer.disconnect();
  const own = await consumer({
    subscriptions: [countOnce(mongo)],
  });
  await eventually(async () => expect(await own.caughtUp()).toBe(true));
  expect(await effects(mongo)).toEqual({ "a 1": 1 });
});

test("events of several partitions share calls of the handler, in the order of each key, and none is handled again after a restart", async () => {
  const { consumer, publish, relay } = await world();
  const subjects = ["a", "b", "c", "d", "e"];
  const handled: Record<string, number[]> = Object.fromEntries(subjects.map((subject) => [subject, []]));
  let isShared = false;
  const subscription = subscribe(log, {
    async handle(events) {
      if (new Set(events.map(({ partition }) => partition)).size > 1) isShared = true;
      for (const { subject, sequence } of events) handled[subject]?.push(sequence);
    },
  });
  const first = await consumer({ subscriptions: [subscription] });
  await relay();
  let sequence = 0;
  await eventually(async () => {
    sequence += 1;
    await publish(...subjects.map((subject) => event(log, subject, sequence)));
    expect(isShared).toBe(true);
  });
  const expectEach = (count: number) =>
    eventually(() => {
      const sequences = Array.from({ length: count }, (_, index) => index + 1);
      expect(handled).toEqual(Object.fromEntries(subjects.map((subject) => [subject, sequences])));
    });
  await expectEach(sequence);
  await first.stop();
  await consumer({ subscriptions: [subscription] });
  await publish(...subjects.map((subject) => event(log, subject, sequence + 1)));
  await expectEach(sequence + 1);
});
