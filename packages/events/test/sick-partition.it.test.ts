import {
  createPlacedTopic,
  eventually,
  FEW_REPLICAS,
  type KafkaCluster,
  NO_LEADER,
  privateKafkaCluster,
  testServers,
  WELL,
} from "@asset-register/harness";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createGroupLagMeter, createProducer, fetchKnownOffsets, subscribe } from "../src/index.ts";
import { event, expectLogWithRepeats, log, logger, readTopic, type World, world } from "./support.ts";

let cluster: KafkaCluster;
beforeAll(async () => {
  cluster = await privateKafkaCluster(2);
}, 180_000);
afterAll(() => cluster.stop(), 60_000);

const placed = { ...log, name: "placed.v1" };

async function placedWorld() {
  const own = await world({ mongoUrl: testServers().mongoUrl, kafkaBrokers: cluster.url.split(",") });
  return { ...own, ...(await createPlacedTopic(cluster, own.kafka.topicName(placed))) };
}

function producerOf({ kafka, metrics }: World) {
  const producer = createProducer({ kafka, logger, metrics, topics: [placed], timeoutMs: 20_000 });
  onTestFinished(() => producer.disconnect());
  const record = (partition: number, value: string) => ({
    ...{ topic: placed, partition, key: value, value: Buffer.from(value) },
  });
  return {
    send: (value: string, ...partitions: number[]) =>
      producer.send(partitions.map((partition) => record(partition, `${value} ${partition}`))),
  };
}

/** The next offsets of the partitions that have a leader. */
async function knownEnds({ kafka }: World): Promise<Map<number, number>> {
  const admin = kafka.kafka.admin();
  await admin.connect();
  const offsets = await fetchKnownOffsets(admin, kafka.topicName(placed));
  await admin.disconnect();
  return new Map(offsets.map(({ partition, high }) => [partition, Number(high)]));
}

const sum = (ends: Map<number, number>): number => [...ends.values()].reduce((a, b) => a + b, 0);

const all = [WELL, FEW_REPLICAS, NO_LEADER];

test("sends to a partition without enough replicas or without a leader fail, those of the same moment to another one do not; all succeed when the broker is back", async () => {
  const own = await placedWorld();
  const { kafka } = own;
  const producer = producerOf(own);
  await Promise.all(all.map((partition) => producer.send("before", partition)));
  await own.killSecond();

  const unavailable = { status: "rejected", reason: { kind: "unavailable", retryAfterMs: 1_000 } };
  for (const round of ["first", "second", "third"]) {
    const sends = await Promise.allSettled(all.map((partition) => producer.send(round, partition)));
    expect(sends).toMatchObject([{ status: "fulfilled" }, unavailable, unavailable]);
  }
  // A call with records in both fails, and may be repeated.
  await expect(producer.send("both", WELL, FEW_REPLICAS)).rejects.toMatchObject({ kind: "unavailable" });
  // A process that starts now does not know the partitions from before.
  await producerOf(own).send("new", WELL);

  await own.restartSecond();
  for (const partition of all) await eventually(() => producer.send("after", partition));
  const values = (await readTopic(kafka, placed)).map(({ value }) => String(value));
  expect(values).toEqual(expect.arrayContaining(["first 0", "second 0", "third 0", "both 0", "new 0"]));
  for (const partition of all)
    expect(values).toEqual(expect.arrayContaining([`before ${partition}`, `after ${partition}`]));
}, 300_000);

test("while a partition has no leader, relay and consumers continue with the others, also those that start then", async () => {
  const own = await placedWorld();
  const { kafka } = own;
  const subjects = Array.from({ length: 12 }, (_, index) => `s${index}`);
  const publish = (sequence: number) =>
    own.publish(...subjects.map((subject) => event(placed, subject, sequence)));
  const handled = { running: new Set<string>(), started: new Set<string>() };
  const consumer = (group: keyof typeof handled) =>
    own.consumer({
      group,
      subscriptions: [
        subscribe(placed, {
          handle: async (events) => {
            for (const { subject, sequence } of events) handled[group].add(`${subject} ${sequence}`);
          },
        }),
      ],
    });
  await own.relay({ topics: [placed] });
  await consumer("running");
  await publish(1);
  const expectEach = (...sequences: number[]) =>
    expectLogWithRepeats(
      kafka,
      placed,
      Object.fromEntries(subjects.map((subject) => [`wsp_1:${subject}`, sequences])),
    );
  await expectEach(1);
  const well = (await readTopic(kafka, placed))
    .filter(({ partition }) => partition === WELL)
    .map(({ key }) => key.replace("wsp_1:", ""));
  expect(well).not.toHaveLength(0);
  const groups = [{ group: "nobody", topics: [placed] }];
  const meter = createGroupLagMeter({ kafka, groups, metrics: own.metrics, logger, everyMs: 100 });
  onTestFinished(() => meter.stop());
  meter.start();
  const lag = async () =>
    (await own.metrics.registry.getSingleMetric("consumer_group_lag_records")?.get())?.values[0]?.value ?? 0;
  const before = await knownEnds(own);
  await eventually(async () => expect(await lag()).toBe(sum(before)));
  await own.killSecond();

  const started = await consumer("started");
  expect(await started.caughtUp()).toBe(false);
  await publish(2);
  const expected = well.map((subject) => `${subject} 2`);
  await eventually(() => expect([...handled.running]).toEqual(expect.arrayContaining(expected)));
  await eventually(() => expect([...handled.started]).toEqual(expect.arrayContaining(expected)));
  expect([...(await knownEnds(own)).keys()].toSorted()).toEqual([WELL, FEW_REPLICAS]);
  // The events that wait in the partition without a leader are still counted.
  expect(before.get(NO_LEADER)).toBeGreaterThan(0);
  await eventually(async () =>
    expect(await lag()).toBe(sum(await knownEnds(own)) + (before.get(NO_LEADER) ?? 0)),
  );

  await own.restartSecond();
  await eventually(async () => expect((await knownEnds(own)).size).toBe(3));
  await expectEach(1, 2);
  const everything = subjects.flatMap((subject) => [1, 2].map((sequence) => `${subject} ${sequence}`));
  await eventually(() => expect([...handled.running].toSorted()).toEqual(everything.toSorted()));
  await eventually(() => expect([...handled.started].toSorted()).toEqual(everything.toSorted()));
  await eventually(async () => expect(await started.caughtUp()).toBe(true));
}, 300_000);
