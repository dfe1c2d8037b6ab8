import { eventually } from "@asset-register/harness";
import { newId } from "@asset-register/runtime";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { parseNetwork } from "../src/domain/address.ts";
import type { Endpoint } from "../src/domain/endpoint.ts";
import { newSecret } from "../src/domain/signing.ts";
import { attemptDelivery } from "../src/operations/attempt-delivery.ts";
import { type Attempt, claimDeliveries } from "../src/operations/claim-deliveries.ts";
import { createSender } from "../src/sending/sender.ts";
import { openContext } from "./context.ts";
import { startReceiver } from "./receiver.ts";

// The steps of the worker, one at a time, on a database where no worker runs.

const LEASE_MS = 60_000;

const allowedNetworks = [parseNetwork("127.0.0.0/8")!];
const context = await openContext(
  createSender({ resolve: async () => [], allowedNetworks, timeoutMs: 2000 }),
);
afterEach(() => void vi.useRealTimers());
afterAll(async () => {
  await context.sender.close();
  await context.mongo.close();
});

/** A subscription with deliveries that are due. */
async function due(url: string, count = 1) {
  const { mongo, stores, signingKeys } = context;
  const workspaceId = newId("wsp");
  const endpointId = newId("whk");
  const endpoint: Endpoint = {
    ...{ id: endpointId, workspaceId, kind: "subscription", url, events: ["*"], status: "active" },
    ...{ secret: signingKeys.seal(endpointId, newSecret()), createdAt: new Date(), rev: 1 },
  };
  await mongo.transaction({}, (session) => stores.endpoints.insert(workspaceId, endpoint, session));
  const deliveries = Array.from({ length: count }, (_, n) => ({
    ...{ workspaceId, endpointId, messageId: `msg_${n}`, type: "asset.moved" as const },
    body: JSON.stringify({ id: `msg_${n}` }),
  }));
  await stores.deliveries.addOnce(deliveries);
  const collection = mongo.collection<{ _id: string; workspaceId: string } & Record<string, unknown>>(
    "endpoints",
  );
  const stored = { workspaceId, _id: endpointId };
  const log = async () =>
    (await stores.deliveries.list(workspaceId, endpointId, { page: 1, limit: 100 })).items;
  return {
    workspaceId,
    endpointId,
    log,
    claim: (leaseMs = LEASE_MS) => claimDeliveries(context, { workspaceId, endpointId }, leaseMs),
    delivery: async () => (await log())[0],
    endpoint: () => collection.findOne(stored),
    /** As if it had only failed: for the first and the last time so many hours ago. */
    failed: (first: number, last: number) =>
      collection.updateOne(stored, {
        $set: { failures: 9, failingSince: hoursAgo(first), failedAt: hoursAgo(last) },
      }),
  };
}

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
const attempt = (claimed: Attempt | undefined) => attemptDelivery(context, claimed!);
const failingReceiver = () => startReceiver((response) => void response.writeHead(500).end());

test("a claim holds by the database's clock, however wrong the worker's own clock is", async () => {
  const { claim } = await due("http://127.0.0.1:9/");
  expect(await claim()).toHaveLength(1);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 10 * LEASE_MS });
  expect(await claim()).toEqual([]);
});

test("a new delivery is due at once, though the clock of the process that added it is an hour ahead", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
  const { claim } = await due("http://127.0.0.1:9/");
  expect(await claim()).toHaveLength(1);
});

test("after a claim has expired only the outcome of the second attempt is saved, though the first one ends later", async () => {
  const receiver = await startReceiver();
  const { claim, delivery, endpoint } = await due(receiver.url);
  const [lost] = await claim(1);
  const [held] = await eventually(async () => {
    const claimed = await claim();
    expect(claimed).toHaveLength(1);
    return claimed;
  });
  expect(held?.delivery.attempts).toBe(2);
  expect((await attempt(lost)).outcome).toBe("superseded");
  expect(await delivery()).toMatchObject({ status: "pending", attempts: 2 });
  expect((await attempt(held)).outcome).toBe("delivered");
  expect(await delivery()).toMatchObject({ status: "delivered", attempts: 2 });
  expect(await endpoint()).toMatchObject({ slots: [] });
  expect(receiver.ids()).toEqual(["msg_0", "msg_0"]);
  await receiver.stop();
});

test("concurrent workers claim each delivery once, and at most five for an endpoint", async () => {
  const { claim, endpoint } = await due("http://127.0.0.1:9/", 20);
  const claimed = (await Promise.all(Array.from({ length: 8 }, () => claim()))).flat();
  const ids = claimed.map(({ delivery }) => delivery.id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeLessThanOrEqual(5);
  expect((await endpoint())?.slots).toHaveLength(ids.length);
});

test("the pending deliveries of a subscription fail when it is deleted during an attempt", async () => {
  const receiver = await failingReceiver();
  const { workspaceId, endpointId, claim, log, delivery } = await due(receiver.url, 7);
  const claimed = await claim();
  expect(claimed).toHaveLength(5);
  await context.mongo.transaction({}, (session) =>
    context.stores.endpoints.deleteSubscription(workspaceId, endpointId, session),
  );
  expect((await attempt(claimed[0])).outcome).toBe("retried");
  expect(await claim()).toEqual([]);
  expect((await attempt(claimed[1])).outcome).toBe("superseded");
  const deliveries = await log();
  expect(deliveries.map(({ status }) => status)).toEqual(deliveries.map(() => "failed"));
  expect(await delivery()).toMatchObject({ lastError: "the subscription is disabled or deleted" });
  await receiver.stop();
});

test("a receiver that has failed for five days is disabled, though its attempts are two days apart", async () => {
  const receiver = await failingReceiver();
  const { claim, endpoint, failed } = await due(receiver.url, 2);
  await failed(119, 48);
  await attempt((await claim())[0]);
  expect(await endpoint()).toMatchObject({ status: "active", failures: 10 });
  await failed(121, 48);
  await attempt((await claim())[0]);
  expect(await endpoint()).toMatchObject({ status: "disabled" });
  await receiver.stop();
});

test("a failure after two days without an attempt starts the count of failing days again", async () => {
  const receiver = await failingReceiver();
  const { claim, endpoint, failed } = await due(receiver.url);
  await failed(1000, 50);
  await attempt((await claim())[0]);
  const row = await endpoint();
  expect(row).toMatchObject({ status: "active" });
  expect(row?.failingSince).toEqual(row?.failedAt);
  await receiver.stop();
});

test("a success ends the count of failing days", async () => {
  const receiver = await startReceiver();
  const { claim, endpoint, failed } = await due(receiver.url);
  await failed(119, 48);
  await attempt((await claim())[0]);
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
      { workspaceId, _id: workspaceId, epoch: 0, sequence, set: { disabled } },
    ]);
  await project(1, true);
  expect(await claim()).toEqual([]);
  expect(await delivery()).toMatchObject({ status: "pending", attempts: 0 });
  expect(await endpoint()).toMatchObject({ failures: 0, slots: [] });
  await project(2, false);
  expect((await attempt((await claim())[0])).outcome).toBe("delivered");
  await receiver.stop();
});
