import { expect, onTestFinished, test } from "vitest";
import { createProducer } from "../src/index.ts";
import { log, logger, readTopic, type World, world } from "./support.ts";

async function producerOf({ kafka, metrics }: World, maxQueuedBytes = 1_000_000) {
  const options = { kafka, logger, metrics, topics: [log], maxQueuedBytes };
  const producer = createProducer({ ...options, timeoutMs: 60_000 });
  await producer.connect();
  onTestFinished(() => producer.disconnect());
  return producer;
}

const record = (key: string, value: string) => ({ topic: log, key, value: Buffer.from(value) });

test("500 concurrent sends leave in fewer than 20 requests, all are acknowledged, and each key is in order", async () => {
  const own = await world();
  const producer = await producerOf(own);
  const numbers = Array.from({ length: 500 }, (_, index) => index);
  await Promise.all(numbers.map((number) => producer.send([record(`k${number % 7}`, String(number))])));
  const records = await readTopic(own.kafka, log);
  for (let key = 0; key < 7; key += 1)
    expect(records.filter((one) => one.key === `k${key}`).map(({ value }) => Number(value))).toEqual(
      numbers.filter((number) => number % 7 === key),
    );
  const sends = await own.metrics.registry.getSingleMetric("producer_sends_total")?.get();
  expect(sends?.values[0]?.value).toBeLessThan(20);
});

test("a send beyond the queue limit fails immediately as unavailable, so that the memory is bounded", async () => {
  const producer = await producerOf(await world(), 1_000);
  const sends = await Promise.allSettled(
    Array.from({ length: 5 }, (_, index) => producer.send([record(`k${index}`, "x".repeat(400))])),
  );
  const refused = sends.filter((send) => send.status === "rejected");
  expect(refused.length).toBeGreaterThan(0);
  for (const send of refused) expect(send.reason).toMatchObject({ kind: "unavailable" });
});

test("a send that the broker refuses as too large fails, and the next send succeeds", async () => {
  const own = await world();
  const producer = await producerOf(own, 10_000_000);
  await expect(producer.send([record("k", "x".repeat(2_000_000))])).rejects.toMatchObject({
    kind: "unavailable",
  });
  await producer.send([record("k", "small")]);
  expect((await readTopic(own.kafka, log)).map(({ value }) => String(value))).toEqual(["small"]);
});
