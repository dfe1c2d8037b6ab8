import { eventually, privateServer, testServers } from "@asset-register/harness";
import { AppError } from "@asset-register/runtime";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  connectKafka,
  createDeadLetters,
  createProducer,
  readTopic as readForTool,
  subscribe,
} from "../src/index.ts";
import { outboxRows } from "../src/outbox/outbox.ts";
import {
  event,
  expectLogWithRepeats,
  log,
  logger,
  readTopic,
  SHORTEST_SESSION_MS,
  world,
} from "./support.ts";

let kafkaServer: Awaited<ReturnType<typeof privateServer>>;

beforeAll(async () => {
  kafkaServer = await privateServer("kafka");
});

afterAll(() => kafkaServer?.stop());

test("after the broker was down for 20 s: no event is lost and each key is in order", async () => {
  const { mongoUrl } = testServers();
  const { consumer, kafka, mongo, publish, relay } = await world({
    mongoUrl,
    kafkaBrokers: [kafkaServer.url],
  });
  const handled: Record<string, number[]> = {};
  await consumer({
    sessionTimeoutMs: SHORTEST_SESSION_MS,
    subscriptions: [
      subscribe(log, {
        async handle(events) {
          for (const { subject, sequence } of events)
            handled[subject] = [...(handled[subject] ?? []), sequence];
        },
      }),
    ],
  });
  await relay();
  const subjects = ["a", "b", "c", "d"];
  const publishAll = (sequence: number) =>
    publish(...subjects.map((subject) => event(log, subject, sequence)));
  await publishAll(1);
  await eventually(() => expect(Object.keys(handled)).toHaveLength(4));
  await kafkaServer.kill();
  const back = Date.now() + 20_000;
  let sequence = 1;
  await eventually(
    async () => {
      await publishAll(sequence + 1);
      sequence += 1;
      expect(Date.now()).toBeGreaterThan(back);
    },
    { everyMs: 500 },
  );
  await kafkaServer.restart();
  await publishAll(sequence + 1);
  const all = Array.from({ length: sequence + 1 }, (_, index) => index + 1);
  await eventually(async () => expect(await outboxRows(mongo).countDocuments()).toBe(0));
  await eventually(() => {
    for (const subject of subjects) expect([...new Set(handled[subject])]).toEqual(all);
  });
  await expectLogWithRepeats(
    kafka,
    log,
    Object.fromEntries(subjects.map((subject) => [`wsp_1:${subject}`, all])),
  );
  expect(await createDeadLetters(kafka).list()).toEqual([]);
}, 600_000);

test("a send that the broker does not acknowledge in time fails as unavailable, and later sends succeed when the broker is back", async () => {
  const { mongoUrl } = testServers();
  const { kafka, metrics } = await world({ mongoUrl, kafkaBrokers: [kafkaServer.url] });
  const producer = createProducer({ kafka, logger, metrics, topics: [log], timeoutMs: 1_000 });
  await producer.connect();
  const send = (value: string) => producer.send([{ topic: log, key: "k", value: Buffer.from(value) }]);
  await eventually(() => send("before"));
  await kafkaServer.pause();
  // On a loaded machine, some threads of the broker run for a moment after the signal.
  await eventually(() => expect(send("until it is frozen")).rejects.toThrow(AppError));
  const outcomes = await Promise.allSettled([send("one"), send("two"), send("three")]);
  await kafkaServer.resume();
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ status: "rejected", reason: { kind: "unavailable" } });
  await eventually(() => send("after"));
  await producer.disconnect();
  const values = (await readTopic(kafka, log)).map(({ value }) => String(value));
  expect(values[0]).toBe("before");
  expect(values.at(-1)).toBe("after");
});

test("a tool that reads a topic continues after the broker was frozen: it gets each record once and misses none", async () => {
  const { mongoUrl } = testServers();
  const { kafka, metrics, prefix } = await world({ mongoUrl, kafkaBrokers: [kafkaServer.url] });
  const producer = createProducer({ kafka, logger, metrics, topics: [log], timeoutMs: 60_000 });
  const send = (value: string) => producer.send([{ topic: log, key: "k", value: Buffer.from(value) }]);
  await send("before");
  const brokers = [kafkaServer.url];
  const own = connectKafka({ brokers, clientId: "tool", topicPrefix: prefix, logger });
  // With a short time-out the client crashes during the freeze; with the usual one it would after a minute.
  const impatient = { requestTimeout: 1_500, retry: { initialRetryTime: 100, retries: 1 } };
  const seen: string[] = [];
  const stop = new AbortController();
  const reading = readForTool({
    kafka: { ...own, kafka: own.client(impatient) },
    ...{ topic: log, fromBeginning: true, toEnd: false, signal: stop.signal },
    onRecord: ({ value }) => void seen.push(String(value)),
  });
  reading.catch(() => {});
  await eventually(() => expect(seen).toEqual(["before"]));
  await kafkaServer.pause();
  const frozen = Date.now();
  await eventually(() => expect(Date.now() - frozen).toBeGreaterThan(8_000));
  await kafkaServer.resume();
  await eventually(() => send("after"));
  await producer.disconnect();
  await Promise.race([reading, eventually(() => expect(seen.at(-1)).toBe("after"))]);
  expect(seen.filter((value) => value === "before")).toHaveLength(1);
  stop.abort();
  await reading;
});
