import { eventually } from "@asset-register/harness";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { outboxRows } from "../src/outbox/outbox.ts";
import { dueTombstones } from "../src/outbox/tombstones.ts";
import { event, expectLog, log, readTopic, state, world } from "./support.ts";

const DAY_MS = 86_400_000;

const deleted = (topic: typeof state | typeof log, subject: string, sequence: number, at: Date) => ({
  ...event(topic, subject, sequence),
  message: {
    state: { id: subject, deletedAt: timestampFromDate(at) },
    change: { case: "deleted", value: {} } as const,
  },
});

test("30 days after its deletion a record gets one tombstone, also when several relays look for it", async () => {
  const { kafka, mongo, publish, relay } = await world();
  const old = new Date(Date.now() - 30 * DAY_MS);
  const recent = new Date(Date.now() - 29 * DAY_MS);
  await Promise.all(Array.from({ length: 3 }, () => relay({ tombstonesEveryMs: 50 })));
  await publish(event(state, "a", 1), event(state, "b", 1), event(state, "c", 1));
  // A republication repeats the last state.
  await publish(deleted(state, "a", 2, old), deleted(state, "b", 2, recent), deleted(log, "d", 1, old));
  await publish(deleted(state, "a", 2, old));
  await eventually(async () => {
    const records = (await readTopic(kafka, state)).filter(({ key }) => key === "wsp_1:a");
    expect(records.at(-1)).toMatchObject({ sequence: 3, value: null });
    expect(await outboxRows(mongo).countDocuments()).toBe(0);
    expect(await dueTombstones(mongo).distinct("_id")).toEqual(["state.v1|wsp_1:b"]);
  });
  await dueTombstones(mongo).updateMany({}, { $set: { dueAt: old } });
  await eventually(async () => expect(await dueTombstones(mongo).countDocuments()).toBe(0));
  await eventually(async () => {
    const records = await readTopic(kafka, state);
    const ends = records.filter(({ value }) => value === null).map(({ key }) => key);
    expect([...new Set(ends)].sort()).toEqual(["wsp_1:a", "wsp_1:b"]);
  });
  await expectLog(kafka, log, { "wsp_1:d": [1] });
});

test("a deletion that is not committed gets no tombstone", async () => {
  const { mongo, outbox } = await world();
  const aborted = mongo.transaction({}, async (session) => {
    await outbox.add(session, deleted(state, "a", 1, new Date(0)));
    throw new Error("the rule is broken");
  });
  await expect(aborted).rejects.toThrow("the rule is broken");
  expect(await dueTombstones(mongo).countDocuments()).toBe(0);
});
