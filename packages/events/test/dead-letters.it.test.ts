import { eventually } from "@asset-register/harness";
import type { Admin } from "kafkajs";
import { expect, onTestFinished, test } from "vitest";
import { deadLetterTopic, retryTopic, toDeadLetter } from "../src/consumer/dead-letter.ts";
import { createDeadLetters, createProducer } from "../src/index.ts";
import { createAll } from "../src/topics/create-all.ts";
import { log, logger, readTopic, type World, world } from "./support.ts";

const GROUP = "group";

/** More entries than the 500 of one transaction. */
const MANY = 1_100;

/** Writes dead letters of a group that does not run, so that all of them exist at the same time. */
async function writeDeadLetters({ kafka, metrics }: World, admin: Admin, count: number): Promise<void> {
  const topic = deadLetterTopic(log, GROUP);
  await createAll(
    admin,
    [topic, retryTopic(log, GROUP)].map((made) => ({
      ...{ topic: kafka.topicName(made), numPartitions: 1, replicationFactor: 1 },
    })),
  );
  const producer = createProducer({ kafka, logger, metrics, topics: [topic], timeoutMs: 60_000 });
  onTestFinished(() => producer.disconnect());
  const failed = Array.from({ length: count }, (_, index) => ({
    ...{ key: Buffer.from("k"), value: Buffer.from(String(index)), headers: {} },
    ...{ timestamp: "0", attributes: 0, offset: String(index) },
  }));
  const origin = { topic: log.name, partition: 0, group: GROUP, error: "broken" };
  await producer.send(
    failed.map((record) => ({
      topic,
      ...toDeadLetter(record, { ...origin, offset: record.offset }, new Date()),
    })),
  );
}

test("more dead letters than fit into one transaction: those retried are sent once and in order, those dropped are removed", async () => {
  const own = await world();
  const admin = own.kafka.kafka.admin();
  await admin.connect();
  onTestFinished(() => admin.disconnect());
  await writeDeadLetters(own, admin, MANY);
  const letters = createDeadLetters(own.kafka);
  const found = await letters.list();
  expect(found).toHaveLength(MANY);
  // The last 10 are dropped. The others are passed to retry in another order than that of their origin.
  const [toRetry, toDrop] = [found.slice(0, MANY - 10), found.slice(MANY - 10)];
  await letters.retry(toRetry.toReversed());
  await eventually(async () => expect(await letters.list()).toHaveLength(10));
  // The markers that end a transaction are written to each topic separately.
  await eventually(async () => {
    const retried = await readTopic(own.kafka, retryTopic(log, GROUP));
    expect(retried.map(({ value }) => String(value))).toEqual(toRetry.map((_, index) => String(index)));
    // Each of the three transactions adds a marker. A single transaction could exceed its time limit.
    const [end] = await admin.fetchTopicOffsets(own.kafka.topicName(retryTopic(log, GROUP)));
    expect(Number(end?.high)).toBe(toRetry.length + 3);
  });
  await letters.drop(toDrop);
  await eventually(async () => expect(await letters.list()).toEqual([]));
});
