import { eventually, privateServer } from "@asset-register/harness";
import { IngestStatus } from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { expect, it } from "vitest";
import { dayCollection } from "../../src/store/ingest/event-log.ts";
import { startTagging } from "../support.ts";
import { newEpc, type SignedEvent } from "../test-reader.ts";

const { ACCEPTED, DUPLICATE, REJECTED } = IngestStatus;

// Each test starts its own server and service, and waits several times. So each has 10 minutes.
it("while Kafka hangs, ingest answers UNAVAILABLE, and a retry has one effect", async () => {
  const kafka = await privateServer("kafka");
  const tagging = await startTagging({
    servers: { kafkaBrokers: kafka.url.split(",") },
    settings: { SEND_TIMEOUT_MS: "1500" },
  });
  const workspace = tagging.newWorkspace();
  const reader = await workspace.newReader();
  const event = reader.signedEvent();
  const batch = reader.signedBatch([{ epc: newEpc(), ts: Date.now() }]);

  await kafka.pause();
  const refused = { error: { kind: "unavailable", retryAfterMs: 1_000 } };
  // On a busy machine, some threads of the broker run for a moment after the signal.
  await eventually(async () => {
    expect(await tagging.sendEvents(reader.signedEvent())).toMatchObject([refused]);
  });
  expect(await tagging.sendEvents(event, reader.signedEvent())).toMatchObject([refused, refused]);
  expect(await tagging.sendBatch(batch)).toMatchObject(refused);
  await kafka.resume();

  const id = await eventually(async () => {
    const [result] = await tagging.sendEvents(event);
    expect(result?.status).toBe(ACCEPTED);
    return result?.eventId ?? "";
  });
  await eventually(async () => {
    expect((await tagging.sendBatch(batch)).results[0]?.status).toBe(ACCEPTED);
  });
  // In Kafka the event may be there twice. It is stored and published once.
  await eventually(() => {
    const sent = tagging.recorded.readerEvent.events.flatMap(({ message }) => message?.events ?? []);
    expect(sent.map((one) => one.id)).toContain(id);
    expect(tagging.recorded.sighting.of(event.epc)).toHaveLength(1);
  });
  const stored = tagging.mongo.collection(dayCollection(Date.parse(event.ts)));
  expect(await stored.countDocuments({ workspaceId: workspace.id, epc: event.epc })).toBe(1);
  await tagging.stop();
  await kafka.stop();
}, 600_000);

it("while Redis is unavailable, ingest checks signatures and times only; afterwards it knows repeats again", async () => {
  const redis = await privateServer("redis");
  const tagging = await startTagging({ servers: { redisUrl: redis.url } });
  const workspace = tagging.newWorkspace();
  const reader = await workspace.newReader();
  const send = async (event: SignedEvent) => (await tagging.sendEvents(event))[0]?.status;
  const before = reader.signedEvent();
  expect(await send(before)).toBe(ACCEPTED);

  await redis.kill();
  const during = reader.signedEvent();
  expect(await send(during)).toBe(ACCEPTED);
  expect(await send({ ...during, epc: newEpc() })).toBe(REJECTED);
  const { results } = await tagging.sendBatch(reader.signedBatch([{ epc: newEpc(), ts: Date.now() }]));
  expect(results[0]?.status).toBe(ACCEPTED);
  await tagging.readers.revokeReader({ id: reader.id }, workspace.admin);
  // While Redis can't report changed secrets, they are trusted for a second.
  await eventually(async () => {
    expect(await send(reader.signedEvent())).toBe(REJECTED);
  });

  await redis.restart();
  const other = await workspace.newReader();
  const after = other.signedEvent();
  expect(await send(after)).toBe(ACCEPTED);
  await eventually(async () => expect(await send(after)).toBe(DUPLICATE));
  await tagging.stop();
  await redis.stop();
}, 600_000);

it("while MongoDB hangs, cached readers are accepted and only the others get UNAVAILABLE", async () => {
  const mongo = await privateServer("mongo");
  const now = Date.now();
  // The clock does not move, so the cache does not expire on a slow machine.
  const tagging = await startTagging({ servers: { mongoUrl: mongo.url }, now: () => new Date(now) });
  const workspace = tagging.newWorkspace();
  const [cached, other] = [await workspace.newReader(), await workspace.newReader()];
  const event = (reader: typeof cached) => reader.signedEvent(newEpc(), new Date(now));
  const batch = (reader: typeof cached) =>
    reader.signedBatch([{ epc: newEpc(), ts: now }], { at: new Date(now) });
  const { ingest } = tagging;
  await tagging.sendEvents(event(cached));

  await mongo.pause();
  // As with the broker, not all threads stop immediately.
  await eventually(async () => expect(await tagging.mongo.ping()).toBe(false));
  const unavailable = { kind: "unavailable", retryAfterMs: 1_000 };
  // The look-up of the other reader ends after 12 s.
  const patient = { deadlineMs: 60_000 };
  const { results } = await ingest.ingestSignedEvents({ events: [event(other), event(cached)] }, patient);
  expect(results).toMatchObject([{ status: REJECTED, error: unavailable }, { status: ACCEPTED }]);
  const { batches } = await ingest.ingestSignedBatches({ batches: [batch(other), batch(cached)] }, patient);
  expect(batches).toMatchObject([{ error: unavailable }, { results: [{ status: ACCEPTED }] }]);

  await mongo.resume();
  await eventually(async () => {
    expect((await tagging.sendEvents(event(other)))[0]?.status).toBe(ACCEPTED);
  });
  await tagging.stop();
  await mongo.stop();
}, 600_000);
