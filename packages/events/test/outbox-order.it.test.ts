import { eventually } from "@asset-register/harness";
import fc from "fast-check";
import { expect, test } from "vitest";
import { outboxRows } from "../src/outbox/outbox.ts";
import { event, expectLog, log, world } from "./support.ts";

type Thing = { _id: string; workspaceId: string; rev: number };

const SUBJECTS = ["a", "b", "c"];
/** Longer than most reads of the relay look back. */
const LOOKED_BACK_MS = 4_000;

const writer = fc.array(
  fc.record({ subject: fc.constantFrom(...SUBJECTS), pauseMs: fc.integer({ min: 0, max: 8 }) }),
  {
    minLength: 1,
    maxLength: 10,
  },
);

const schedule = fc.record({
  writers: fc.array(writer, { minLength: 2, maxLength: 5 }),
  batch: fc.integer({ min: 1, max: 5 }),
  relays: fc.integer({ min: 1, max: 3 }),
});

test("in any interleaving of writers and relays, the events of each key are complete and in order", async () => {
  await fc.assert(
    fc.asyncProperty(schedule, async ({ writers, batch, relays }) => {
      const { kafka, mongo, outbox, relay } = await world();
      const things = mongo.collection<Thing>("things");
      const relayOptions = { batch: { rows: batch, bytes: 1_000_000 }, sweepMs: 50 };
      const running = [await relay(relayOptions)];

      // Like an operation: it increases rev and writes the event. The commit may be late.
      const change = (subject: string, pauseMs: number) =>
        mongo.transaction({}, async (session) => {
          const filter = { _id: subject, workspaceId: "wsp_1" };
          const raise = { $inc: { rev: 1 } };
          const thing = await things.findOneAndUpdate(filter, raise, {
            ...{ upsert: true, returnDocument: "after", session },
          });
          await outbox.add(session, event(log, subject, thing?.rev ?? 0));
          await new Promise((resolve) => setTimeout(resolve, pauseMs));
        });
      const work = writers.map(async (steps) => {
        for (const { subject, pauseMs } of steps) await change(subject, pauseMs);
      });
      for (let more = 1; more < relays; more += 1) {
        await running.at(-1)?.stop();
        running.push(await relay(relayOptions));
      }
      await Promise.all(work);
      await eventually(async () => expect(await outboxRows(mongo).countDocuments()).toBe(0));
      const expected = Object.fromEntries(
        (await things.find({ workspaceId: "wsp_1" }).toArray()).map(({ _id, rev }) => [
          `wsp_1:${_id}`,
          Array.from({ length: rev }, (_, index) => index + 1),
        ]),
      );
      await expectLog(kafka, log, expected);
    }),
    { numRuns: 8 },
  );
}, 600_000);

test("the event of a transaction that commits seconds late is sent, while other events are sent all the time", async () => {
  const { kafka, mongo, outbox, publish, relay } = await world();
  await relay();
  let others = 0;
  const publishOther = async () => {
    others += 1;
    await publish(event(log, "other", others));
  };
  await mongo.transaction({}, async (session) => {
    await outbox.add(session, event(log, "late", 1));
    const added = performance.now();
    while (performance.now() - added < LOOKED_BACK_MS) await publishOther();
  });
  while ((await outboxRows(mongo).countDocuments({ subject: "late" })) > 0) await publishOther();
  await eventually(async () => expect(await outboxRows(mongo).countDocuments()).toBe(0));
  const numbers = Array.from({ length: others }, (_, index) => index + 1);
  await expectLog(kafka, log, { "wsp_1:late": [1], "wsp_1:other": numbers });
});
