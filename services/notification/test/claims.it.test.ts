import { eventually, freshDatabase, testKeyring, testServers } from "@asset-register/harness";
import { createLogger, createMetrics, keyringSchema, newId } from "@asset-register/runtime";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { parseNetwork } from "../src/domain/address.ts";
import { newSecret } from "../src/domain/signing.ts";
import { openStore } from "../src/open-store.ts";
import { attemptDelivery } from "../src/operations/attempt-delivery.ts";
import { beginDeliveries } from "../src/operations/begin-deliveries.ts";
import { createSender, type Sender } from "../src/sender.ts";
import type { Endpoint, EndpointDocument } from "../src/store/endpoints.ts";
import { startReceiver } from "./receiver.ts";

// The steps of the worker, one at a time, on a database where no worker runs.

const LEASE_MS = 60_000;
const KEYRING = keyringSchema.parse(JSON.parse(testKeyring()));

let store: Awaited<ReturnType<typeof openStore>>;
let sender: Sender;
beforeAll(async () => {
  const logger = createLogger({ service: "test", level: "error" });
  store = await openStore(
    { MONGO_URL: testServers().mongoUrl, MONGO_DATABASE: freshDatabase(), KEYRING },
    { logger, metrics: createMetrics({ service: "test" }) },
  );
  const loopback = parseNetwork("127.0.0.0/8");
  const allowedNetworks = loopback === undefined ? [] : [loopback];
  sender = createSender({ resolve: async () => [], allowedNetworks, timeoutMs: 2000 });
});
afterEach(() => void vi.useRealTimers());
afterAll(async () => {
  await sender.close();
  await store.mongo.close();
});

/** A subscription with deliveries that are due. */
async function waiting(url: string, count = 1) {
  const workspaceId = newId("wsp");
  const endpointId = newId("whk");
  const endpoint: Endpoint = {
    ...{ id: endpointId, workspaceId, kind: "subscription", url, events: ["*"], status: "active" },
    ...{ secret: store.keys.seal(endpointId, newSecret()), createdAt: new Date(), rev: 1 },
  };
  await store.mongo.transaction({}, (session) => store.endpoints.insert(endpoint, session));
  const deliveries = Array.from({ length: count }, (_, n) => ({
    ...{ workspaceId, endpointId, messageId: `msg_${n}`, type: "asset.moved" as const },
    body: JSON.stringify({ id: `msg_${n}` }),
  }));
  await store.deliveries.addOnce(deliveries);
  const endpoints = store.mongo.collection<EndpointDocument>("endpoints");
  const stored = { workspaceId, _id: endpointId };
  return {
    workspaceId,
    endpointId,
    begin: (leaseMs = LEASE_MS) => beginDeliveries(store, { workspaceId, endpointId }, leaseMs),
    row: async () => (await store.deliveries.page(workspaceId, endpointId, whole)).items[0],
    stored: () => endpoints.findOne(stored),
    /** As if it had only failed: the first and the last time so many hours ago. */
    failed: (first: number, last: number) =>
      endpoints.updateOne(stored, {
        $set: { failures: 9, failing_since: hoursAgo(first), failed_at: hoursAgo(last) },
      }),
  };
}

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
const whole = { page: 1, limit: 100, cursor: "" };
const attempt = (claimed: Parameters<typeof attemptDelivery>[1]) =>
  attemptDelivery({ ...store, sender }, claimed);

test("a claim holds by the database's clock, however wrong a worker's own is", async () => {
  const { begin } = await waiting("http://127.0.0.1:9/");
  expect(await begin()).toHaveLength(1);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 10 * LEASE_MS });
  expect(await begin()).toEqual([]);
});

test("a new delivery is due at once, though the clock of the process that made it is an hour ahead", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
  const { begin } = await waiting("http://127.0.0.1:9/");
  expect(await begin()).toHaveLength(1);
});

test("of a claim that ran out only the second attempt's outcome is kept, though the first one comes later", async () => {
  const receiver = await startReceiver();
  const { begin, row, stored } = await waiting(receiver.url);
  const [lost] = await begin(1);
  const [held] = await eventually(async () => {
    const claimed = await begin();
    expect(claimed).toHaveLength(1);
    return claimed;
  });
  expect(held?.delivery.attempts).toBe(2);
  expect((await attempt(lost!)).outcome).toBe("superseded");
  expect(await row()).toMatchObject({ status: "pending", attempts: 2 });
  expect((await attempt(held!)).outcome).toBe("delivered");
  expect(await row()).toMatchObject({ status: "delivered", attempts: 2 });
  expect(await stored()).toMatchObject({ slots: [] });
  expect(receiver.ids()).toEqual(["msg_0", "msg_0"]);
  await receiver.stop();
});

test("several workers at once claim each delivery once, and no more than five", async () => {
  const { begin, stored } = await waiting("http://127.0.0.1:9/", 20);
  const claimed = (await Promise.all(Array.from({ length: 8 }, () => begin()))).flat();
  const ids = claimed.map(({ delivery }) => delivery.id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeLessThanOrEqual(5);
  const row = await stored();
  expect(row?.slots).toHaveLength(ids.length);
});

test("a subscription that is deleted while a delivery is under way ends what waits for it", async () => {
  const receiver = await startReceiver((response) => void response.writeHead(500).end());
  const { workspaceId, endpointId, begin, row } = await waiting(receiver.url, 7);
  const claimed = await begin();
  expect(claimed).toHaveLength(5);
  await store.mongo.transaction({}, (session) =>
    store.endpoints.deleteSubscription(workspaceId, endpointId, session),
  );
  expect((await attempt(claimed[0]!)).outcome).toBe("retried");
  expect(await begin()).toEqual([]);
  expect((await attempt(claimed[1]!)).outcome).toBe("superseded");
  const { items } = await store.deliveries.page(workspaceId, endpointId, whole);
  expect(items.map(({ status }) => status)).toEqual(items.map(() => "failed"));
  expect(await row()).toMatchObject({ lastError: "the subscription is disabled or deleted" });
  await receiver.stop();
});

test("a receiver that has failed for five days is turned off, though attempts are two days apart", async () => {
  const receiver = await startReceiver((response) => void response.writeHead(500).end());
  const { begin, stored, failed } = await waiting(receiver.url, 2);
  await failed(119, 48);
  await attempt((await begin())[0]!);
  expect(await stored()).toMatchObject({ status: "active", failures: 10 });
  await failed(121, 48);
  await attempt((await begin())[0]!);
  expect(await stored()).toMatchObject({ status: "disabled" });
  await receiver.stop();
});

test("one failure after a quiet time is the first, however long ago the ones before were", async () => {
  const receiver = await startReceiver((response) => void response.writeHead(500).end());
  const { begin, stored, failed } = await waiting(receiver.url);
  await failed(1000, 50);
  await attempt((await begin())[0]!);
  const row = await stored();
  expect(row).toMatchObject({ status: "active" });
  expect(row?.failing_since).toEqual(row?.failed_at);
  await receiver.stop();
});

test("in a disabled workspace deliveries wait, count no attempt and do not make their receiver look dead", async () => {
  const receiver = await startReceiver();
  const { workspaceId, begin, row, stored } = await waiting(receiver.url);
  const project = (sequence: number, disabled: boolean) =>
    store.workspaces.project([{ workspaceId, _id: workspaceId, epoch: 0, sequence, set: { disabled } }]);
  await project(1, true);
  expect(await begin()).toEqual([]);
  expect(await row()).toMatchObject({ status: "pending", attempts: 0 });
  expect(await stored()).toMatchObject({ failures: 0, slots: [] });
  await project(2, false);
  const [claimed] = await begin();
  expect((await attempt(claimed!)).outcome).toBe("delivered");
  await receiver.stop();
});
