import { eventually } from "@asset-register/harness";
import { expect, test } from "vitest";
import { createParkedRows } from "../src/index.ts";
import { outboxRows } from "../src/outbox/outbox.ts";
import { startChild } from "./child.ts";
import { countOnce, effects } from "./effects.ts";
import { event, expectLog, log, readTopic, setTopicConfig, world } from "./support.ts";

/** Long enough that a busy machine renews the lease in time. */
const LEASE_MS = 5_000;

test("after a relay was killed between sending and removing rows, they are sent again under the same ids and have one effect each", async () => {
  const { consumer, forChild, kafka, mongo, publish, relay } = await world();
  await consumer({ subscriptions: [countOnce(mongo)] });
  await publish(event(log, "a", 1), event(log, "a", 2));
  const child = startChild("relay-child.ts", { ...forChild, leaseMs: LEASE_MS, stopAt: "sent" });
  await child.printed("at sent");
  await child.killed();
  expect(await outboxRows(mongo).countDocuments()).toBe(2);
  await publish(event(log, "a", 3));
  await relay({ leaseMs: LEASE_MS });
  await eventually(async () => expect(await outboxRows(mongo).countDocuments()).toBe(0));
  await eventually(async () => expect(await effects(mongo)).toEqual({ "a 1": 1, "a 2": 1, "a 3": 1 }));
  await expectLog(kafka, log, { "wsp_1:a": [1, 2, 1, 2, 3] });
  const records = await readTopic(kafka, log);
  expect(new Set(records.map(({ id }) => id)).size).toBe(3);
});

test("a relay that was frozen longer than its lease before it sent is fenced: it never sends old rows after newer ones", async () => {
  const { forChild, kafka, mongo, publish, relay } = await world();
  await publish(event(log, "a", 1), event(log, "b", 1));
  const paused = startChild("relay-child.ts", { ...forChild, leaseMs: LEASE_MS, stopAt: "read" });
  await paused.printed("at read");
  paused.signal("SIGSTOP");
  await relay({ leaseMs: LEASE_MS });
  await publish(event(log, "a", 2), event(log, "b", 2));
  await publish(event(log, "a", 3));
  await eventually(async () => expect(await outboxRows(mongo).countDocuments()).toBe(0));
  paused.write("continue");
  paused.signal("SIGCONT");
  await paused.printed("events not sent");
  await publish(event(log, "b", 3));
  await eventually(async () => expect(await outboxRows(mongo).countDocuments()).toBe(0));
  await expectLog(kafka, log, { "wsp_1:a": [1, 2, 3], "wsp_1:b": [1, 2, 3] });
});

test("a relay that was frozen longer than its lease after it sent removes no rows: another relay sends them and all later rows again", async () => {
  const { forChild, kafka, mongo, publish, relay } = await world();
  await publish(event(log, "a", 1), event(log, "a", 2), event(log, "a", 3));
  const paused = startChild("relay-child.ts", { ...forChild, leaseMs: LEASE_MS, stopAt: "sent" });
  await paused.printed("at sent");
  paused.signal("SIGSTOP");
  let resumed: Promise<void> | undefined;
  const resume = async () => {
    paused.write("continue");
    paused.signal("SIGCONT");
    await paused.printed("events not sent");
    await paused.killed();
  };
  // One row a batch: after the first row is sent again, the others wait for the next read.
  await relay({
    ...{ leaseMs: LEASE_MS, batch: { rows: 1, bytes: 1_000_000 } },
    stages: { sent: () => (resumed ??= resume()) },
  });
  await eventually(async () => expect(await outboxRows(mongo).countDocuments()).toBe(0));
  await expectLog(kafka, log, { "wsp_1:a": [1, 2, 3, 1, 2, 3] });
});

test("a row that the broker refuses is parked and counted, delays only its own key, and is sent after a retry", async () => {
  const { kafka, metrics, mongo, publish, relay } = await world(undefined, { maxMessageBytes: 20_000 });
  await relay();
  const large = { ...event(log, "bad", 2), message: { state: { id: "bad", name: "x".repeat(50_000) } } };
  await publish(event(log, "bad", 1), large, event(log, "bad", 3));
  for (const sequence of [1, 2, 3]) await publish(event(log, "good", sequence), event(log, "fine", sequence));
  const parked = createParkedRows(mongo);
  const [row] = await eventually(async () => {
    const rows = await parked.list();
    expect(rows).toHaveLength(1);
    expect(await outboxRows(mongo).countDocuments()).toBe(2);
    return rows;
  });
  expect(row).toMatchObject({
    key: "wsp_1:bad",
    sequence: 2,
    waiting: 1,
    error: expect.stringMatching(/large/i),
  });
  await expectLog(kafka, log, {
    "wsp_1:bad": [1],
    "wsp_1:good": [1, 2, 3],
    "wsp_1:fine": [1, 2, 3],
  });
  expect(await metrics.registry.getSingleMetricAsString("outbox_oldest_age_seconds")).toMatch(
    /seconds\S* \d/,
  );
  expect(await metrics.registry.getSingleMetricAsString("outbox_parked_rows")).toMatch(/ 1$/m);
  await setTopicConfig(kafka, log, { "max.message.bytes": "1048588" });
  await eventually(async () => {
    // The new limit becomes effective shortly after the answer. Until then the row is parked again.
    await parked.retry();
    expect(await outboxRows(mongo).countDocuments()).toBe(0);
  });
  const good = { "wsp_1:good": [1, 2, 3], "wsp_1:fine": [1, 2, 3] };
  await expectLog(kafka, log, { "wsp_1:bad": [1, 2, 3], ...good });
});

test("after a parked row is dropped, the later rows of its key are sent", async () => {
  const { kafka, mongo, publish, relay } = await world(undefined, { maxMessageBytes: 20_000 });
  await relay();
  const large = { ...event(log, "bad", 1), message: { state: { id: "bad", name: "x".repeat(50_000) } } };
  await publish(large, event(log, "bad", 2));
  const parked = createParkedRows(mongo);
  const [row] = await eventually(async () => {
    const rows = await parked.list();
    expect(rows).toHaveLength(1);
    return rows;
  });
  expect(await parked.drop([row!.eventId])).toBe(1);
  await eventually(async () => expect(await outboxRows(mongo).countDocuments()).toBe(0));
  await expectLog(kafka, log, { "wsp_1:bad": [2] });
});
