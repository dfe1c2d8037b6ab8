import { eventually, freshPrefix, testServers } from "@asset-register/harness";
import { createLogger, createMetrics } from "@asset-register/runtime";
import { expect, onTestFinished, test } from "vitest";
import { connectKafka, createGroupLagMeter, createTopics } from "../src/index.ts";
import { log } from "./support-topics.ts";

test("a process that owns no partition reports the lag of a group that nobody consumes, until it is committed", async () => {
  const logger = createLogger({ service: "test", level: "silent" });
  const metrics = createMetrics({ service: "test" });
  const prefix = freshPrefix();
  const kafka = connectKafka({
    ...{ brokers: testServers().kafkaBrokers, clientId: "test", topicPrefix: prefix, logger },
  });
  const admin = kafka.kafka.admin();
  await admin.connect();
  onTestFinished(() => admin.disconnect());
  await createTopics(admin, [log], { prefix, partitions: 2 });
  const producer = kafka.kafka.producer();
  await producer.connect();
  onTestFinished(() => producer.disconnect());
  const topic = kafka.topicName(log);
  const messages = [1, 2, 3].map((value) => ({ partition: 0, value: `${value}` }));
  await producer.send({ topic, messages });

  const groups = [{ group: "nobody", topics: [log] }];
  const meter = createGroupLagMeter({ kafka, groups, metrics, logger, everyMs: 100 });
  meter.start();
  onTestFinished(() => meter.stop());
  const value = async (name: string): Promise<number | undefined> =>
    (await metrics.registry.getSingleMetric(name)?.get())?.values[0]?.value;
  await eventually(async () => expect(await value("consumer_group_lag_records")).toBe(3));
  await eventually(async () => expect(await value("consumer_group_lag_seconds")).toBeGreaterThan(0.2));
  // Of two partitions, one has no records.
  const mean = async () => (await value("consumer_group_lag_mean_seconds")) ?? 0;
  expect(await mean()).toBeLessThan((await value("consumer_group_lag_seconds")) ?? 0);

  await admin.setOffsets({ groupId: `${prefix}nobody`, topic, partitions: [{ partition: 0, offset: "3" }] });
  await eventually(async () => expect(await value("consumer_group_lag_records")).toBe(0));
  expect(await value("consumer_group_lag_seconds")).toBe(0);
});
