import { parseNetwork } from "@asset-register/guarded-http";
import { eventually } from "@asset-register/harness";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { saveAttempt, sendDelivery } from "../../src/operations/webhooks/attempt-delivery.ts";
import type { Turn } from "../../src/operations/webhooks/claim-deliveries.ts";
import { createSender } from "../../src/sending/sender.ts";
import { openContext } from "../context.ts";
import { dueDeliveries, LEASE_MS } from "../due.ts";
import { startReceiver } from "../receiver.ts";

// The steps of the worker, one at a time, on a database where no worker runs.

const allowedNetworks = [parseNetwork("127.0.0.0/8")!];
const context = await openContext(
  createSender({ resolve: async () => [], allowedNetworks, timeoutMs: 20_000 }),
);
const due = dueDeliveries(context);
afterEach(() => void vi.useRealTimers());
afterAll(async () => {
  await context.sender.close();
  await context.mongo.close();
});

/** Sends one delivery of a turn and saves the outcome. */
async function attempt(turn: Turn | undefined, index = 0) {
  const delivery = turn!.deliveries[index]!;
  return saveAttempt(context, turn!, delivery, await sendDelivery(context, turn!, delivery));
}
const failingReceiver = () => startReceiver((response) => void response.writeHead(500).end());

test("a claim holds by the database's clock, however wrong the worker's own clock is", async () => {
  const { claim } = await due("http://127.0.0.1:9/");
  expect((await claim())?.deliveries).toHaveLength(1);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 10 * LEASE_MS });
  expect(await claim()).toBeUndefined();
});

test("a new delivery is due at once, though the clock of the process that added it is an hour ahead", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
  const { claim } = await due("http://127.0.0.1:9/");
  expect((await claim())?.deliveries).toHaveLength(1);
});

test("after a claim has expired only the outcome of the second attempt is saved, though the first one ends later", async () => {
  const receiver = await startReceiver();
  const { claim, end, delivery, endpoint } = await due(receiver.url);
  const lost = await claim(1);
  const held = await eventually(async () => {
    const turn = await claim();
    expect(turn?.deliveries).toHaveLength(1);
    return turn!;
  });
  expect(held.deliveries[0]?.attempts).toBe(2);
  expect((await attempt(lost)).outcome).toBe("superseded");
  expect(await delivery()).toMatchObject({ status: "pending", attempts: 1 });
  expect((await attempt(held)).outcome).toBe("delivered");
  expect(await delivery()).toMatchObject({ status: "delivered", attempts: 2 });
  await end(held);
  expect(await endpoint()).toMatchObject({ slots: [] });
  expect(receiver.ids()).toEqual(["msg_0", "msg_0"]);
  await receiver.stop();
});

test("concurrent workers claim each delivery once, and at most five slots of an endpoint", async () => {
  const { claim, endpoint } = await due("http://127.0.0.1:9/", 20);
  const turns = (await Promise.all(Array.from({ length: 8 }, () => claim()))).filter(
    (turn) => turn !== undefined,
  );
  const ids = turns.flatMap(({ deliveries }) => deliveries.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  const slots = turns.reduce((sum, turn) => sum + turn.slots, 0);
  expect(slots).toBe(5);
  expect((await endpoint())?.slots).toHaveLength(slots);
});

test("the pending deliveries of a subscription fail when it is deleted during an attempt", async () => {
  const receiver = await failingReceiver();
  const { workspaceId, endpointId, claim, log, delivery } = await due(receiver.url, 7);
  const turn = await claim();
  expect(turn).toMatchObject({ slots: 5, deliveries: { length: 7 } });
  await context.mongo.transaction({}, (session) =>
    context.stores.endpoints.deleteSubscription(workspaceId, endpointId, session),
  );
  expect((await attempt(turn)).outcome).toBe("retried");
  // The next claim ends what is due, also what is claimed.
  expect(await claim()).toBeUndefined();
  expect((await attempt(turn, 1)).outcome).toBe("superseded");
  const deliveries = await log();
  expect(deliveries.map(({ status }) => status)).toEqual(deliveries.map(() => "failed"));
  expect(await delivery()).toMatchObject({ lastError: "the subscription is disabled or deleted" });
  await receiver.stop();
});

test("a disabled subscription fails only what is due: a later retry stays pending", async () => {
  const receiver = await failingReceiver();
  const { workspaceId, endpointId, claim, end, log } = await due(receiver.url, 2);
  // The retry after a second attempt is not due in this test: 5 min.
  await context.mongo
    .collection<{ _id: string; workspaceId: string; attempts: number }>("deliveries")
    .updateMany({ workspaceId }, { $set: { attempts: 1 } });
  const turn = await claim();
  expect((await attempt(turn)).outcome).toBe("retried");
  await end(turn!);
  await context.mongo
    .collection("endpoints")
    .updateOne({ workspaceId, _id: endpointId }, { $set: { status: "disabled" } });
  expect(await claim()).toBeUndefined();
  expect((await log()).map(({ status }) => status).sort()).toEqual(["failed", "pending"]);
  await receiver.stop();
});

test("a receiver that has failed for five days is disabled, though its attempts are two days apart", async () => {
  const receiver = await failingReceiver();
  const { claim, end, endpoint, failed } = await due(receiver.url, 2);
  await failed(119, 48);
  const turn = await claim();
  expect(turn).toMatchObject({ slots: 1, deliveries: { length: 1 } });
  await attempt(turn);
  await end(turn!);
  expect(await endpoint()).toMatchObject({ status: "active", failures: 10 });
  await failed(121, 48);
  await attempt(await claim());
  expect(await endpoint()).toMatchObject({ status: "disabled" });
  await receiver.stop();
});

test("a failure after two days without an attempt starts the count of failing days again", async () => {
  const receiver = await failingReceiver();
  const { claim, endpoint, failed } = await due(receiver.url);
  await failed(1000, 50);
  await attempt(await claim());
  const row = await endpoint();
  expect(row).toMatchObject({ status: "active" });
  expect(row?.failingSince).toEqual(row?.failedAt);
  await receiver.stop();
});

test("a success ends the count of failing days", async () => {
  const receiver = await startReceiver();
  const { claim, endpoint, failed } = await due(receiver.url);
  await failed(119, 48);
  await attempt(await claim());
  const row = await endpoint();
  expect(row).toMatchObject({ status: "active", failures: 0 });
  expect(row?.failingSince).toBeUndefined();
  await receiver.stop();
});

test("in a disabled workspace deliveries stay pending without an attempt, and their receiver does not fail", async () => {
  const receiver = await startReceiver();
  const { workspaceId, claim, delivery, endpoint } = await due(receiver.url);
  const project = (sequence: number, disabled: boolean) =>
    context.stores.workspaces.project([
      { workspaceId, id: workspaceId, epoch: 0, sequence, fields: { active: !disabled, disabled } },
    ]);
  await project(1, true);
  expect(await claim()).toBeUndefined();
  expect(await delivery()).toMatchObject({ status: "pending", attempts: 0 });
  expect(await endpoint()).toMatchObject({ failures: 0, slots: [] });
  await project(2, false);
  expect((await attempt(await claim())).outcome).toBe("delivered");
  await receiver.stop();
});

test("deliveries that are given back are due again, and no attempt is counted for them", async () => {
  const { claim, end, delivery } = await due("http://127.0.0.1:9/");
  const turn = await claim();
  expect(await claim()).toBeUndefined();
  await end(turn!);
  expect(await delivery()).toMatchObject({ status: "pending", attempts: 0 });
  expect((await claim())?.deliveries).toMatchObject([{ attempts: 1 }]);
});

test("a delivery that was retried by hand is not changed by the attempt before, though its lease lasts", async () => {
  const receiver = await startReceiver();
  const { workspaceId, endpointId, claim, delivery } = await due(receiver.url);
  const { deliveries } = context.stores;
  const turn = await claim();
  await deliveries.failPending(workspaceId, endpointId);
  await new Promise((resolve) => setTimeout(resolve, 2));
  const { id } = (await delivery())!;
  await context.mongo.transaction({}, (session) => deliveries.retry(workspaceId, id, session));
  expect((await attempt(turn)).outcome).toBe("superseded");
  expect(await delivery()).toMatchObject({ status: "pending", attempts: 0 });
  await receiver.stop();
});

test("a delivery that waited for more than 30 days fails without an attempt; a retry by hand begins the wait again", async () => {
  const receiver = await startReceiver();
  const { workspaceId, endpointId, claim, delivery } = await due(receiver.url);
  const rows = context.mongo.collection<{ _id: string; workspaceId: string } & Record<string, unknown>>(
    "deliveries",
  );
  const long = new Date(Date.now() - 31 * 24 * 3_600_000);
  await rows.updateOne({ workspaceId, endpointId }, { $set: { queuedAt: long, createdAt: long } });
  expect(await claim()).toBeUndefined();
  expect(await delivery()).toMatchObject({
    status: "failed",
    attempts: 0,
    lastError: "waited for more than 30 days",
  });
  const { id } = (await delivery())!;
  await context.mongo.transaction({}, (session) => context.stores.deliveries.retry(workspaceId, id, session));
  expect((await attempt(await claim())).outcome).toBe("delivered");
  await receiver.stop();
});

test("an endpoint whose URL has changed is not disabled by an answer of the receiver before", async () => {
  const receiver = await startReceiver((response) => void response.writeHead(410).end());
  const { workspaceId, endpointId, claim, endpoint } = await due(receiver.url);
  const turn = await claim();
  await context.mongo
    .collection<{ _id: string; workspaceId: string } & Record<string, unknown>>("endpoints")
    .updateOne({ workspaceId, _id: endpointId }, { $set: { url: "http://127.0.0.1:9/" } });
  expect((await attempt(turn)).outcome).toBe("failed");
  expect(await endpoint()).toMatchObject({ status: "active" });
  await receiver.stop();
});
