import { createRequire } from "node:module";
import { eventually } from "@asset-register/harness";
import type { ProducerConfig } from "kafkajs";
import { expect, test } from "vitest";
import { createOutbox, createParkedRows, type KafkaConnection, listHeldRows } from "../src/index.ts";
import { outboxRows } from "../src/outbox/outbox.ts";
import { toRow } from "../src/outbox/row.ts";
import {
  createTestTopics,
  event,
  expectLog,
  expectLogWithRepeats,
  log,
  readTopic,
  state,
  world,
} from "./support.ts";

const absent = { ...log, name: "absent.v1" };
const SUBJECTS = ["a", "b", "c", "d", "e", "f"];

const { createErrorFromCode } = createRequire(import.meta.url)("kafkajs/src/protocol/error");
const NOT_ENOUGH_REPLICAS = 19;
const CONCURRENT_TRANSACTIONS = 51;

/**
 * A connection to the real broker that behaves as if a partition had too few replicas, which one broker alone never
 * answers. Like the broker, it refuses its records, and then all transactions of the same id until the fault ends: the
 * end of the first one can't be written to the partition.
 */
function unwritablePartition(real: KafkaConnection) {
  let unwritable: { topic: string; partition: number } | undefined;
  const unended = new Set<string | undefined>();
  const producer = (config: ProducerConfig) => {
    const own = real.kafka.producer(config);
    return {
      ...own,
      async transaction() {
        if (unended.has(config.transactionalId)) throw createErrorFromCode(CONCURRENT_TRANSACTIONS);
        const transaction = await own.transaction();
        const sendBatch: typeof transaction.sendBatch = async (batch) => {
          const refused = batch.topicMessages?.some(
            ({ topic, messages }) =>
              topic === unwritable?.topic &&
              messages.some(({ partition }) => partition === unwritable?.partition),
          );
          if (!refused) return transaction.sendBatch(batch);
          unended.add(config.transactionalId);
          throw createErrorFromCode(NOT_ENOUGH_REPLICAS);
        };
        return { ...transaction, sendBatch };
      },
    };
  };
  return {
    kafka: { ...real, kafka: Object.assign(Object.create(real.kafka), { producer }) },
    begin(topic: string, partition: number) {
      unwritable = { topic, partition };
    },
    end() {
      unwritable = undefined;
      unended.clear();
    },
  };
}

/** The content of a topic in which each subject has these sequences. */
const each = (...sequences: number[]) =>
  Object.fromEntries(SUBJECTS.map((subject) => [`wsp_1:${subject}`, sequences]));

test("events of a missing topic wait by key, are counted and listed, and are sent in order when the topic is there; other topics and a second relay continue", async () => {
  const { kafka, metrics, mongo, publish, relay } = await world();
  const first = await relay({ topics: [log, absent] });
  const publishBoth = (sequence: number) =>
    publish(
      ...SUBJECTS.flatMap((subject) => [event(absent, subject, sequence), event(log, subject, sequence)]),
    );
  for (const sequence of [1, 2, 3]) await publishBoth(sequence);
  await expectLog(kafka, log, each(1, 2, 3));
  const held = await eventually(async () => {
    const rows = await listHeldRows(mongo);
    expect(rows).toMatchObject([{ topic: "absent.v1", partition: undefined, keys: 6, rows: 18 }]);
    return rows;
  });
  expect(held[0]?.error).toMatch(/does not host this topic/i);
  expect(held[0]?.since.getTime()).toBeLessThanOrEqual(Date.now());
  await eventually(async () => {
    const scraped = await metrics.registry.metrics();
    expect(scraped.split("\n")).toContain('outbox_held_rows{topic="absent.v1",service="test"} 18');
    expect(scraped).toMatch(/^outbox_oldest_age_seconds\S* [1-9]/m);
  });
  // The next relay finds the held rows, and starts although the topic is missing.
  await first.stop();
  await relay({ topics: [log, absent] });
  await publishBoth(4);
  await expectLog(kafka, log, each(1, 2, 3, 4));
  await createTestTopics(kafka, 3, 1_048_588, [absent]);
  await eventually(async () => expect(await outboxRows(mongo).countDocuments()).toBe(0));
  await expectLogWithRepeats(kafka, absent, each(1, 2, 3, 4));
  await publishBoth(5);
  await expectLogWithRepeats(kafka, absent, each(1, 2, 3, 4, 5));
  await eventually(async () => expect(await listHeldRows(mongo)).toEqual([]));
});

test("events of a partition without enough replicas wait; the transaction that the broker cannot end delays neither the other partitions nor other topics", async () => {
  const { kafka, mongo, publish, relay } = await world();
  const fault = unwritablePartition(kafka);
  await relay({ kafka: fault.kafka });
  const publishBoth = (sequence: number) =>
    publish(
      ...SUBJECTS.flatMap((subject) => [event(state, subject, sequence), event(log, subject, sequence)]),
    );
  await publishBoth(1);
  await expectLog(kafka, state, each(1));
  const records = await readTopic(kafka, state);
  const partition = records.find(({ key }) => key === "wsp_1:a")?.partition ?? -1;
  const waiting = new Set(records.filter((record) => record.partition === partition).map(({ key }) => key));
  expect(waiting.size).toBeLessThan(SUBJECTS.length);
  fault.begin(kafka.topicName(state), partition);
  for (const sequence of [2, 3]) await publishBoth(sequence);
  await expectLog(kafka, log, each(1, 2, 3));
  const others = Object.entries(each(1, 2, 3)).map(([key, all]) => [key, waiting.has(key) ? [1] : all]);
  await expectLog(kafka, state, Object.fromEntries(others));
  await eventually(async () => {
    const expected = { topic: "state.v1", partition, keys: waiting.size, rows: 2 * waiting.size };
    expect(await listHeldRows(mongo)).toMatchObject([expected]);
  });
  fault.end();
  await eventually(async () => expect(await outboxRows(mongo).countDocuments()).toBe(0));
  await expectLog(kafka, state, each(1, 2, 3));
});

test("a held row that the broker refuses for its content is parked, and its key continues after it is dropped", async () => {
  const { kafka, mongo, publish, relay } = await world();
  await relay({ topics: [log, absent] });
  const large = { ...event(absent, "bad", 1), message: { state: { id: "bad", name: "x".repeat(50_000) } } };
  await publish(large, event(absent, "bad", 2), event(absent, "good", 1));
  await eventually(async () => expect(await listHeldRows(mongo)).toMatchObject([{ rows: 3 }]));
  await createTestTopics(kafka, 3, 20_000, [absent]);
  const parked = createParkedRows(mongo);
  const [row] = await eventually(async () => {
    const rows = await parked.list();
    expect(rows).toHaveLength(1);
    return rows;
  });
  await expectLog(kafka, absent, { "wsp_1:good": [1] });
  await parked.drop([row!.eventId]);
  await expectLog(kafka, absent, { "wsp_1:good": [1], "wsp_1:bad": [2] });
});

test("the events of a key stay in order when processes with other numbers of shards write them, and no shard is left", async () => {
  const { kafka, mongo, relay } = await world();
  const subjects = Array.from({ length: 12 }, (_, index) => `s${index}`);
  const numbers = [1, 8, 3, 4, 2, 6];
  for (const [index, shards] of numbers.entries())
    await outboxRows(mongo).insertMany(
      subjects.map((subject) => toRow(event(log, subject, index + 1), shards)),
    );
  expect(await outboxRows(mongo).distinct("shard")).toHaveLength(8);
  await relay({ shards: 2, sweepMs: 100, batch: { rows: 5, bytes: 1_000_000 } });
  const outbox = createOutbox(mongo, { shards: 7 });
  await mongo.transaction({}, (session) =>
    outbox.add(session, ...subjects.map((subject) => event(log, subject, 7))),
  );
  await eventually(async () => expect(await outboxRows(mongo).countDocuments()).toBe(0));
  await expectLog(
    kafka,
    log,
    Object.fromEntries(subjects.map((subject) => [`wsp_1:${subject}`, [1, 2, 3, 4, 5, 6, 7]])),
  );
});
