import type { ServerResponse } from "node:http";
import { parseNetwork } from "@asset-register/guarded-http";
import { eventually } from "@asset-register/harness";
import { afterAll, expect, onTestFinished, test } from "vitest";
import type { Turn } from "../../src/operations/webhooks/claim-deliveries.ts";
import { createSender } from "../../src/sending/sender.ts";
import { runTurn } from "../../src/sending/turn.ts";
import { openContext } from "../context.ts";
import { dueDeliveries, LEASE_MS } from "../due.ts";
import { type Answering, startReceiver } from "../receiver.ts";

const allowedNetworks = [parseNetwork("127.0.0.0/8")!];
const context = await openContext(
  createSender({ resolve: async () => [], allowedNetworks, timeoutMs: 20_000 }),
);
const due = dueDeliveries(context);
afterAll(async () => {
  await context.sender.close();
  await context.mongo.close();
});

async function receiver(answer: Answering) {
  const started = await startReceiver(answer);
  onTestFinished(() => started.stop());
  return started;
}

/** On a busy machine slots that end one after the other are freed one by one. */
const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0);

/** Runs a turn and notes what it reports. */
function run(turn: Turn | undefined, startBy = performance.now() + LEASE_MS, by = context) {
  const outcomes: string[] = [];
  const freed: number[] = [];
  const stopping = new AbortController();
  const ended = runTurn(by, turn!, {
    ...{ startBy, signal: stopping.signal },
    onAttempt: (outcome) => void outcomes.push(outcome),
    onFree: (slots) => void freed.push(slots),
  });
  return { outcomes, freed, ended, stop: () => stopping.abort() };
}

test("a turn sends up to 200 deliveries, five at once, and frees its slots", async () => {
  const target = await receiver((response) => void setImmediate(() => response.writeHead(204).end()));
  const { claim, endpoint, log } = await due(target.url, 205);
  const { ended, outcomes, freed } = run(await claim());
  expect(await ended).toBe(false);
  expect(outcomes).toEqual(Array.from({ length: 200 }, () => "delivered"));
  expect(target.holding.most).toBeLessThanOrEqual(5);
  expect(sum(freed)).toBe(5);
  expect(await endpoint()).toMatchObject({ slots: [], turns: [], failures: 0 });
  expect((await log()).filter(({ status }) => status === "pending")).toHaveLength(5);
});

test("a slow answer keeps only its own slot: the others are free for the rest meanwhile", async () => {
  let slow: ServerResponse | undefined;
  const target = await receiver((response, _got, nth) => {
    if (nth === 1) slow = response;
    else response.writeHead(204).end();
  });
  const { claim, endpoint } = await due(target.url, 205);
  const { ended, freed } = run(await claim());
  await eventually(() => expect(sum(freed)).toBe(4));
  expect((await endpoint())?.slots).toHaveLength(1);
  expect(await claim()).toMatchObject({ slots: 4, deliveries: { length: 5 } });
  slow?.writeHead(204).end();
  await ended;
  expect(sum(freed)).toBe(5);
  expect((await endpoint())?.slots).toHaveLength(4);
});

test("five failures in a row end the turn; the rest is due without an attempt, and is tried one at a time", async () => {
  let works = false;
  const target = await receiver((response) => void response.writeHead(works ? 204 : 500).end());
  const { claim, endpoint, log } = await due(target.url, 30);
  const { ended, outcomes } = run(await claim());
  expect(await ended).toBe(true);
  expect(outcomes.length).toBeLessThan(10);
  expect((await log()).filter(({ attempts }) => attempts > 0)).toHaveLength(outcomes.length);
  expect(await endpoint()).toMatchObject({ slots: [], failures: outcomes.length });
  works = true;
  const probe = await claim();
  expect(probe).toMatchObject({ slots: 1, deliveries: { length: 1 } });
  expect(await run(probe).ended).toBe(false);
  expect(await endpoint()).toMatchObject({ failures: 0 });
  expect(await claim()).toMatchObject({ slots: 5 });
});

test("a delivery whose outcome could not be saved is attempted again only after the lease, and the others are not", async () => {
  const target = await receiver((response) => void response.writeHead(204).end());
  const { claim, expire, endpoint, log } = await due(target.url, 3);
  const { deliveries } = context.stores;
  const turn = (await claim())!;
  const unsaved = turn.deliveries[1]!.id;
  const saveOutcome: typeof deliveries.saveOutcome = async (saved) => {
    if (saved.id === unsaved) throw new Error("the database is unavailable");
    return deliveries.saveOutcome(saved);
  };
  const stores = { ...context.stores, deliveries: { ...deliveries, saveOutcome } };
  await run(turn, performance.now() + LEASE_MS, { ...context, stores }).ended;
  expect((await log()).filter(({ status }) => status === "pending").map(({ id }) => id)).toEqual([unsaved]);
  expect(await endpoint()).toMatchObject({ slots: [], turns: [{ deliveryIds: [unsaved] }] });
  expect(await claim()).toBeUndefined();
  await expire();
  const again = await claim();
  expect(again?.deliveries).toMatchObject([{ id: unsaved, attempts: 2 }]);
  await run(again).ended;
  expect(await endpoint()).toMatchObject({ slots: [], turns: [] });
});

test("the slots are free for the next turn while the last successes are saved, but not while more than 50 are", async () => {
  const target = await receiver((response) => void response.writeHead(204).end());
  const runWithoutSaving = async (count: number) => {
    const { claim, endpoint } = await due(target.url, count);
    const saving = Promise.withResolvers<void>();
    const { deliveries } = context.stores;
    const saveOutcome: typeof deliveries.saveOutcome = async (saved) => {
      await saving.promise;
      return deliveries.saveOutcome(saved);
    };
    const stores = { ...context.stores, deliveries: { ...deliveries, saveOutcome } };
    const before = target.received.length;
    const turn = run(await claim(), performance.now() + LEASE_MS, { ...context, stores });
    await eventually(() => expect(target.received).toHaveLength(before + count));
    return { ...turn, claim, endpoint, save: saving.resolve };
  };
  const few = await runWithoutSaving(50);
  await eventually(() => expect(sum(few.freed)).toBe(5));
  expect(await few.endpoint()).toMatchObject({ slots: [], turns: [{ deliveryIds: { length: 50 } }] });
  expect(await few.claim()).toBeUndefined();
  few.save();
  await few.ended;
  expect(await few.endpoint()).toMatchObject({ slots: [], turns: [] });

  const many = await runWithoutSaving(51);
  expect((await many.endpoint())?.slots).toHaveLength(5);
  expect(many.freed).toEqual([]);
  many.save();
  await many.ended;
  expect(sum(many.freed)).toBe(5);
  expect(await many.endpoint()).toMatchObject({ slots: [], turns: [] });
});

test("a success that is saved a moment later does not end the count of the failures after it", async () => {
  const target = await receiver((response, _got, nth) => {
    response.writeHead(nth === 1 ? 204 : 500).end();
  });
  const { claim, endpoint } = await due(target.url, 6);
  const turn = (await claim())!;
  expect(await run({ ...turn, slots: 1 }).ended).toBe(true);
  expect(await endpoint()).toMatchObject({ failures: 5 });
});

test("a delivery that cannot begin before the lease ends, or before the process stops, is returned to the queue", async () => {
  const target = await receiver((response) => void response.writeHead(204).end());
  const { claim, log } = await due(target.url, 10);
  await run(await claim(), performance.now() - 1).ended;
  const stopped = run(await claim());
  stopped.stop();
  await stopped.ended;
  const attempted = (await log()).filter(({ attempts }) => attempts > 0);
  expect(attempted).toHaveLength(target.received.length);
  expect(target.received.length).toBeLessThanOrEqual(5);
});
