import { eventually } from "@asset-register/harness";
import { expect, test } from "vitest";
import { connectKafka, createConsumer, subscribe } from "../src/index.ts";
import { outboxRows } from "../src/outbox/outbox.ts";
import { event, logger, state, world } from "./support.ts";

test("caughtUp is false while a batch fails and true once it is handled, and stays true when the broker is unavailable later", async () => {
  const own = await world(undefined, { partitions: 1 });
  await own.publish(event(state, "a", 1));
  await own.relay();
  await eventually(async () => expect(await outboxRows(own.mongo).countDocuments()).toBe(0));
  let fails = true;
  let tries = 0;
  const subscription = subscribe(state, {
    async handle() {
      tries += 1;
      if (fails) throw new Error("the database is unavailable");
    },
  });
  const consumer = await own.consumer({ subscriptions: [subscription] });
  await eventually(() => expect(tries).toBeGreaterThan(1));
  expect(await consumer.caughtUp()).toBe(false);
  fails = false;
  await eventually(async () => expect(await consumer.caughtUp()).toBe(true));

  const brokers = ["127.0.0.1:1"];
  const kafka = connectKafka({ brokers, clientId: "test", topicPrefix: own.prefix, logger });
  const alone = (group: string, subscriptions = [subscription]) =>
    createConsumer({ ...own, kafka, group, logger, subscriptions });
  expect(await alone("group").caughtUp()).toBe(true);
  expect(await alone("another").caughtUp()).toBe(false);
  const more = subscribe({ ...state, name: "more.v1" }, { handle: async () => {} });
  expect(await alone("group", [subscription, more]).caughtUp()).toBe(false);
});

test("a consumer that is stopped during its start is not a member of its group afterwards", async () => {
  const own = await world();
  const admin = own.kafka.kafka.admin();
  await admin.connect();
  for (const waitMs of [0, 20, 60, 150, 400, 1_000]) {
    const group = `stopped-${waitMs}`;
    const subscriptions = [subscribe(state, { handle: async () => {} })];
    // A consumer that does not leave would stay a member for longer than this test waits.
    const consumer = createConsumer({ ...own, group, logger, subscriptions, sessionTimeoutMs: 600_000 });
    const started = consumer.start();
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    await consumer.stop();
    await started;
    const members = async () => (await admin.describeGroups([`${own.prefix}${group}`])).groups[0]?.members;
    await eventually(async () => expect(await members()).toEqual([]));
  }
  await admin.disconnect();
});
