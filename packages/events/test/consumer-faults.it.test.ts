import { eventually } from "@asset-register/harness";
import { ensureIndexes } from "@asset-register/mongo";
import { conflict, notFound, unavailable } from "@asset-register/runtime";
import { expect, test } from "vitest";
import { createDeadLetters, type Incoming, PoisonError, subscribe, UnfitTopicError } from "../src/index.ts";
import { event, log, produce, SHORTEST_SESSION_MS, state, world } from "./support.ts";

test("an event that cannot be decoded becomes an unchanged dead letter with its origin, and the next event is handled", async () => {
  const { consumer, kafka, publish, relay } = await world(undefined, { partitions: 1 });
  const value = Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f]);
  await produce(kafka, log, { key: "k", value, headers: { ce_id: "broken", ce_type: "x", other: "kept" } });
  await relay();
  await publish(event(log, "a", 1));
  const handled: string[] = [];
  await consumer({
    subscriptions: [subscribe(log, { handle: async (events) => void handled.push(...ids(events)) })],
  });
  await eventually(() => expect(handled).toEqual(["a 1"]));
  const [letter, ...others] = await createDeadLetters(kafka).list();
  expect(others).toEqual([]);
  expect(letter).toMatchObject({
    ...{
      id: "log.v1/0/0",
      topic: "log.v1",
      partition: 0,
      offset: "0",
      group: "group",
      attempts: 1,
      eventId: "broken",
    },
    error: expect.stringContaining("not a assetregister.events.v1.AssetEvent"),
  });
  expect(letter?.record.value).toEqual(value);
  expect(String(letter?.record.headers?.other)).toBe("kept");
});

test.each([
  ["PoisonError", new PoisonError("no such thing")],
  ["conflict", conflict("ALREADY_DONE", "It is done.", [{ field: "asset_id", message: "ast_1" }])],
  ["not_found", notFound()],
])(
  "an event that fails by its content (%s) becomes a dead letter, fails again in a retry, and is handled by a later retry",
  async (_, failure) => {
    const { consumer, kafka, publish, relay } = await world(undefined, { partitions: 1 });
    let broken = true;
    const handled: string[] = [];
    await consumer({
      subscriptions: [
        subscribe(log, {
          async handle(events) {
            if (broken && events.some(({ sequence }) => sequence === 2)) throw failure;
            handled.push(...ids(events));
          },
        }),
      ],
    });
    await publish(event(log, "a", 1), event(log, "a", 2), event(log, "a", 3));
    await relay();
    await eventually(() => expect(handled).toEqual(["a 1", "a 3"]));
    const letters = createDeadLetters(kafka);
    const found = await eventually(async () => {
      const list = await letters.list({ topic: "log.v1", group: "group" });
      expect(list.map(({ error }) => error)).toEqual([failure.message]);
      return list;
    });
    await letters.retry(found);
    const again = await eventually(async () => {
      const [letter] = await letters.list();
      expect(letter).toMatchObject({ id: found[0]?.id, attempts: 2 });
      return letter;
    });
    broken = false;
    await letters.retry([again!]);
    await eventually(() => expect(handled).toEqual(["a 1", "a 3", "a 2"]));
    await eventually(async () => expect(await letters.list()).toEqual([]));
  },
);

test("if a unique index refuses one event of a batch repeatedly, only that event becomes a dead letter", async () => {
  const { consumer, kafka, mongo, publish, relay } = await world(undefined, { partitions: 1 });
  const rows = mongo.collection<{ _id: string; workspaceId: string; code: number }>("unique");
  await ensureIndexes(mongo, "unique", [{ name: "code", key: { workspaceId: 1, code: 1 }, unique: true }]);
  const subscription = subscribe(log, {
    async handle(events) {
      for (const { workspaceId, subject, sequence } of events) {
        const filter = { workspaceId, _id: subject };
        await rows.updateOne(filter, { $set: { code: sequence } }, { upsert: true });
      }
    },
  });
  await publish(event(log, "a", 1), event(log, "b", 1), event(log, "c", 2));
  await relay();
  await consumer({ subscriptions: [subscription] });
  await eventually(async () => expect(await rows.countDocuments({ workspaceId: "wsp_1" })).toBe(2));
  const letters = createDeadLetters(kafka);
  await eventually(async () =>
    expect(await letters.list()).toMatchObject([{ error: expect.stringContaining("unique index") }]),
  );
});

test("dropping a dead letter removes it and no other", async () => {
  const { consumer, kafka } = await world(undefined, { partitions: 1 });
  const broken = Buffer.from([0xff]);
  for (const key of ["one", "two"]) await produce(kafka, log, { key, value: broken, headers: {} });
  const own = await consumer({ subscriptions: [subscribe(log, { handle: async () => {} })] });
  await eventually(async () => expect(await own.caughtUp()).toBe(true));
  const letters = createDeadLetters(kafka);
  const [first, second] = await letters.list();
  await letters.drop([first!]);
  await eventually(async () => expect((await letters.list()).map(({ id }) => id)).toEqual([second!.id]));
});

test("a tombstone that fails is still a tombstone after dead letter and retry", async () => {
  const { consumer, kafka, publish, relay } = await world();
  let broken = true;
  const handled: unknown[] = [];
  await consumer({
    subscriptions: [
      subscribe(state, {
        async handle(events) {
          if (broken) throw new PoisonError("not yet");
          handled.push(...events.map(({ message, subject }) => ({ subject, message })));
        },
      }),
    ],
  });
  await relay();
  await publish({ ...event(state, "a", 1), message: undefined });
  const letters = createDeadLetters(kafka);
  const found = await eventually(async () => {
    const list = await letters.list();
    expect(list).toHaveLength(1);
    return list;
  });
  broken = false;
  await letters.retry(found);
  await eventually(() => expect(handled).toEqual([{ subject: "a", message: undefined }]));
});

test("an unavailable dependency pauses only the partition of the event; afterwards its events are handled in order, with no dead letter", async () => {
  const { consumer, kafka, metrics, publish, relay } = await world();
  let down = true;
  const handled: string[] = [];
  await consumer({
    subscriptions: [
      subscribe(log, {
        async handle(events) {
          if (down && events.some(({ subject }) => subject === "a")) throw unavailable();
          handled.push(...ids(events));
        },
      }),
    ],
  });
  await relay();
  for (const sequence of [1, 2, 3]) await publish(event(log, "a", sequence));
  await eventually(async () => expect(await value(metrics, "consumer_retries_total")).toBeGreaterThan(2));
  // The subjects "b" to "e" are in all three partitions. Those in other partitions than "a" are handled.
  for (const subject of ["b", "c", "d", "e"]) await publish(event(log, subject, 1));
  await eventually(() => expect(handled.length).toBeGreaterThan(0));
  expect(handled.filter((id) => id.startsWith("a"))).toEqual([]);
  down = false;
  await eventually(() => expect(handled).toHaveLength(7));
  expect(handled.filter((id) => id.startsWith("a"))).toEqual(["a 1", "a 2", "a 3"]);
  expect(await createDeadLetters(kafka).list()).toEqual([]);
});

test("a partition counts as paused from its first failure until an event is handled, also while a retry hangs", async () => {
  const { consumer, metrics, publish, relay } = await world();
  const [retried, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let calls = 0;
  await consumer({
    subscriptions: [
      subscribe(log, {
        async handle() {
          calls += 1;
          if (calls === 1) throw unavailable();
          retried.resolve();
          await release.promise;
        },
      }),
    ],
  });
  await relay();
  await publish(event(log, "a", 1));
  await retried.promise;
  expect(await value(metrics, "consumer_paused_partitions")).toBe(1);
  release.resolve();
  await eventually(async () => expect(await value(metrics, "consumer_paused_partitions")).toBe(0));
});

test("the start of a consumer of a missing topic throws UnfitTopicError", async () => {
  const { consumer } = await world();
  const missing = { ...log, name: "missing.v1" };
  const started = consumer({ subscriptions: [subscribe(missing, { handle: async () => {} })] });
  await expect(started).rejects.toThrow(UnfitTopicError);
});

test("in production, consumer and relay refuse to start with topics that could lose an acknowledged event", async () => {
  const { consumer, relay } = await world();
  const subscriptions = [subscribe(log, { handle: async () => {} })];
  await expect(consumer({ subscriptions, production: true })).rejects.toThrow("production needs 3");
  await expect(relay({ topics: [log], production: true })).rejects.toThrow(UnfitTopicError);
});

test("a consumer that its group never admits calls onFatal", async () => {
  const { consumer } = await world();
  const fatal = Promise.withResolvers<Error>();
  await consumer({
    // Longer than any broker allows.
    sessionTimeoutMs: 3_600_000,
    onFatal: fatal.resolve,
    subscriptions: [subscribe(log, { handle: async () => {} })],
  });
  expect((await fatal.promise).message).toMatch(/session timeout/i);
});

test("a consumer that kafkajs ends starts again and handles each event", async () => {
  const { consumer, publish, relay } = await world(undefined, { partitions: 1 });
  const handled: string[] = [];
  let joins = 0;
  await consumer({
    // The member that was ended leaves the group by it.
    sessionTimeoutMs: SHORTEST_SESSION_MS,
    onFatal: (error) => expect.fail(error.message),
    subscriptions: [
      subscribe(log, {
        handle: async (events) => void handled.push(...ids(events)),
        // kafkajs does not restart a consumer after an error that is not its own, as those of its own defects.
        assigned() {
          joins += 1;
          if (joins === 1) throw new TypeError("Cannot read properties of undefined");
        },
      }),
    ],
  });
  await relay();
  await publish(event(log, "a", 1));
  await eventually(() => expect(handled).toEqual(["a 1"]));
  expect(joins).toBeGreaterThan(1);
});

function ids(events: readonly Incoming[]): string[] {
  return events.map(({ subject, sequence }) => `${subject} ${sequence}`);
}

async function value(metrics: Awaited<ReturnType<typeof world>>["metrics"], name: string): Promise<number> {
  const metric = await metrics.registry.getSingleMetric(name)?.get();
  return metric?.values.reduce((sum, sample) => sum + sample.value, 0) ?? 0;
}
