import { eventually } from "@asset-register/harness";
import { expect, test } from "vitest";
import { republishAll, republishRecords } from "../src/index.ts";
import { outboxRows } from "../src/outbox/outbox.ts";
import { event, readTopic, sequences, state, world } from "./support.ts";
import { thingProjection } from "./things.ts";

type World = Awaited<ReturnType<typeof world>>;

const projection = ({ mongo }: World) => {
  const { find, project } = thingProjection.store(mongo);
  return {
    subscription: thingProjection.subscription((states) => project(states)),
    async all() {
      const found = await find("wsp_1", {}, { sort: { _id: 1 } });
      return Object.fromEntries(found.map(({ id, name }) => [id, name]));
    },
  };
};

test("a new consumer builds its projection from the compacted topic alone, and caughtUp becomes true", async () => {
  const own = await world(undefined, { partitions: 2 });
  await compactQuickly(own);
  const relay = await own.relay();
  const subjects = ["a", "b", "c", "d", "e", "f"];
  for (let sequence = 1; sequence <= 20; sequence += 1)
    await own.publish(...subjects.map((subject) => event(state, subject, sequence)));
  await own.publish({ ...event(state, "f", 21), message: undefined });
  // Else the topic has few records because the others are not sent yet.
  await eventually(async () => expect(await outboxRows(own.mongo).countDocuments()).toBe(0));
  await eventually(
    async () => {
      // The cleaner compacts only closed segments, and only a write closes a segment.
      await own.publish(event(state, "z", Date.now()));
      const records = await readTopic(own.kafka, state);
      expect(sequences(records)["wsp_1:a"]?.length).toBeLessThan(20);
    },
    { everyMs: 1_000 },
  );
  await relay.stop();
  const built = projection(own);
  const consumer = await own.consumer({ group: "new", subscriptions: [built.subscription] });
  await eventually(async () => expect(await consumer.caughtUp()).toBe(true));
  const { z: _, ...rest } = await built.all();
  expect(rest).toEqual({ a: "a 20", b: "b 20", c: "c 20", d: "d 20", e: "e 20" });
  const later = await own.consumer({ group: "new", subscriptions: [built.subscription] });
  await eventually(async () => expect(await later.caughtUp()).toBe(true));
}, 600_000);

test("a republication after a restore replaces projected states, also those with higher sequences", async () => {
  const own = await world();
  const { subscription, all } = projection(own);
  await own.relay();
  await own.consumer({ subscriptions: [subscription] });
  await own.publish(event(state, "a", 8), event(state, "b", 5));
  await eventually(async () => expect(await all()).toEqual({ a: "a 8", b: "b 5" }));
  // Like a restored backup: "a" is back at rev 3 and continues from there.
  await own.mongo.collection<Saved>("saved").insertMany([
    { _id: "a", workspaceId: "wsp_1", rev: 3 },
    { _id: "b", workspaceId: "wsp_1", rev: 5 },
    { _id: "c", workspaceId: "wsp_2", rev: 1 },
  ]);
  const first = await republishAll(own.mongo, saved, { workspaceId: "wsp_1", pageSize: 1 });
  expect(first.written).toBe(2);
  await own.publish(event(state, "a", 4));
  await eventually(async () => expect(await all()).toEqual({ a: "a 4", b: "b 5" }));
  const second = await republishAll(own.mongo, saved, {});
  expect(second.epoch).toBeGreaterThan(first.epoch);
  expect(second.written).toBe(3);
});

type Saved = { _id: string; workspaceId: string; rev: number };

const saved = republishRecords("saved", async (mongo, workspaceId, ids, session) => {
  const filter = { workspaceId, _id: { $in: ids } };
  const found = await mongo.collection<Saved>("saved").find(filter, { session }).toArray();
  return found.map(({ _id, rev }) => ({ ...event(state, _id, rev), workspaceId }));
});

async function compactQuickly({ kafka }: World): Promise<void> {
  const admin = kafka.kafka.admin();
  await admin.connect();
  const settings = {
    "cleanup.policy": "compact",
    "segment.ms": "100",
    "min.cleanable.dirty.ratio": "0.01",
    "min.compaction.lag.ms": "0",
    // Do not shorten delete.retention.ms: a consumer that has read a record must also find its tombstone later.
  };
  const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }));
  await admin.alterConfigs({
    validateOnly: false,
    resources: [{ type: 2, name: kafka.topicName(state), configEntries }],
  });
  await admin.disconnect();
}
