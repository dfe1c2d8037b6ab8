import { eventually } from "@asset-register/harness";
import {
  DeliveryStatus,
  WebhookStatus,
} from "@asset-register/proto/assetregister/notification/v1/webhook_pb";
import { afterAll, afterEach, expect, onTestFinished, test } from "vitest";
import { log, movements, receiverPool, subscribe } from "../delivering.ts";
import { verifies } from "../receiver.ts";
import { newWorkspace, startNotification } from "../support.ts";

const names = new Map<string, string[]>();
const receivers = receiverPool();

const service = await startNotification({
  resolve: async (hostname) => {
    const addresses = names.get(hostname);
    if (addresses === undefined) throw new Error("NXDOMAIN");
    return addresses;
  },
});
afterAll(() => service.stop());
afterEach(() => receivers.stop());

test("a failed attempt is repeated on schedule, with the same id and a new signature", async () => {
  const workspace = newWorkspace();
  const failureRead = Promise.withResolvers<void>();
  const target = await receivers.start((response, _got, nth) => {
    if (nth === 1) response.writeHead(500).end("no");
    else void failureRead.promise.then(() => response.writeHead(200).end("no"));
  });
  const { id, secret } = await subscribe(service, workspace, target.url);
  await service.publish(...movements(workspace, 1));
  await eventually(async () =>
    expect(await log(service, workspace, id)).toMatchObject([
      { status: DeliveryStatus.PENDING, attempts: 1, lastResponseStatus: 500, lastError: "answered 500" },
    ]),
  );
  failureRead.resolve();
  await eventually(async () =>
    expect(await log(service, workspace, id)).toMatchObject([
      { status: DeliveryStatus.DELIVERED, attempts: 2 },
    ]),
  );
  expect(new Set(target.ids()).size).toBe(1);
  expect(target.received.map((got) => verifies(got, secret))).toEqual([true, true]);
});

test("429 is retried not before the time in Retry-After, within twice the delay", async () => {
  const workspace = newWorkspace();
  const target = await receivers.start((response, _got, nth) => {
    // The second attempts get no answer, so that the log has the first ones for longer.
    if (nth > 2) return;
    response.writeHead(429, { "retry-after": nth === 1 ? "8" : "3600" }).end("slow down");
  });
  const { id } = await subscribe(service, workspace, target.url);
  const started = Date.now();
  await service.publish(...movements(workspace, 2));
  await eventually(async () => {
    const deliveries = await log(service, workspace, id);
    expect(deliveries.map(({ lastResponseStatus, attempts }) => [lastResponseStatus, attempts])).toEqual([
      [429, 1],
      [429, 1],
    ]);
    expect(deliveries[0]?.lastResponseExcerpt).toBe("slow down");
    const waits = deliveries.map(({ nextAttemptAt }) => Number(nextAttemptAt?.seconds) * 1000 - started);
    const [short = 0, long = 0] = waits.toSorted((a, b) => a - b);
    // The second asked for an hour, and gets 10 s: twice the first delay.
    expect([short >= 7000, long <= 10_000 + (Date.now() - started)]).toEqual([true, true]);
  });
});

test("a redirect is a failed attempt and is not followed", async () => {
  const workspace = newWorkspace();
  const elsewhere = await receivers.start();
  const target = await receivers.start(
    (response) => void response.writeHead(307, { location: elsewhere.url }).end(),
  );
  const { id } = await subscribe(service, workspace, target.url);
  await service.publish(...movements(workspace, 1));
  await eventually(async () =>
    expect(await log(service, workspace, id)).toMatchObject([
      { status: DeliveryStatus.PENDING, lastResponseStatus: 307, lastError: "answered 307" },
    ]),
  );
  expect(elsewhere.received).toEqual([]);
});

test("an attempt without an answer ends by the time-out, and an endless answer is not read to its end", async () => {
  const impatient = await startNotification({}, { WEBHOOK_TIMEOUT_MS: "2000" });
  onTestFinished(() => impatient.stop());
  const workspace = newWorkspace();
  const silent = await receivers.start(() => {});
  const endless = await receivers.start((response) => {
    response.writeHead(200);
    const pour = (): void => {
      while (!response.destroyed && response.write("x".repeat(16_384)));
    };
    response.on("drain", pour);
    pour();
  });
  const [first, second] = [
    await subscribe(impatient, workspace, silent.url),
    await subscribe(impatient, workspace, endless.url),
  ];
  await impatient.publish(...movements(workspace, 1));
  await eventually(async () => {
    expect(await log(impatient, workspace, second.id)).toMatchObject([{ status: DeliveryStatus.DELIVERED }]);
    const [unanswered] = await log(impatient, workspace, first.id);
    const lastError = "no answer within 2000 ms";
    expect(unanswered).toMatchObject({ status: DeliveryStatus.PENDING, lastError });
    expect(unanswered?.lastResponseStatus).toBeUndefined();
  });
  await eventually(() => expect(endless.holding.now).toBe(0));
});

test("410 disables the subscription at once, leaves a notice, and fails its pending deliveries", async () => {
  const workspace = newWorkspace();
  const allEnqueued = Promise.withResolvers<void>();
  const target = await receivers.start(
    (response) => void allEnqueued.promise.then(() => response.writeHead(410).end()),
  );
  const { id } = await subscribe(service, workspace, target.url);
  await service.publish(...movements(workspace, 20));
  // After the first answer the subscription would get no others.
  await eventually(async () => expect(await log(service, workspace, id)).toHaveLength(20));
  allEnqueued.resolve();
  await eventually(async () => {
    const deliveries = await log(service, workspace, id);
    expect(deliveries).toHaveLength(20);
    expect(deliveries.every(({ status }) => status === DeliveryStatus.FAILED)).toBe(true);
  });
  const { webhooks } = await service.webhooks.listWebhooks({}, workspace.asProgram);
  expect(webhooks).toMatchObject([{ status: WebhookStatus.DISABLED, rev: 2 }]);
  const notices = service.mongo.collection("notices").find({ workspaceId: workspace.workspaceId });
  expect(await notices.toArray()).toMatchObject([
    { kind: "endpoint_disabled", endpointId: id, reason: "gone" },
  ]);
});

test("a name that moves to a private address after the creation of the subscription gets nothing", async () => {
  const workspace = newWorkspace();
  names.set("rebind.example.com", ["93.184.215.14"]);
  const { id } = await subscribe(service, workspace, "https://rebind.example.com:8443/");
  names.set("rebind.example.com", ["93.184.215.14", "10.0.0.7"]);
  await service.publish(...movements(workspace, 1));
  await eventually(async () => {
    const [delivery] = await log(service, workspace, id);
    const lastError = "the name resolves to an address that is not public";
    expect(delivery).toMatchObject({ status: DeliveryStatus.PENDING, lastError });
    expect(delivery?.lastResponseStatus).toBeUndefined();
  });
});

test("a retry by hand checks the addresses again", async () => {
  const workspace = newWorkspace();
  const target = await receivers.start(
    (response) => void response.writeHead(204, { connection: "close" }).end(),
  );
  names.set("moving.example.com", ["127.0.0.1"]);
  const { id: webhookId } = await subscribe(service, workspace, `http://moving.example.com:${target.port}/`);
  await service.publish(...movements(workspace, 1));
  const { id } = await eventually(async () => {
    const [delivery] = await log(service, workspace, webhookId);
    expect(delivery).toMatchObject({ status: DeliveryStatus.DELIVERED });
    return delivery!;
  });
  names.set("moving.example.com", ["10.0.0.7"]);
  const { delivery } = await service.webhooks.retryDelivery({ webhookId, id }, workspace.asProgram);
  expect(delivery?.attempts).toBe(0);
  await eventually(async () =>
    expect(await log(service, workspace, webhookId)).toMatchObject([
      { lastError: "the name resolves to an address that is not public" },
    ]),
  );
  expect(target.received).toHaveLength(1);
});

test("the delivery to a name that no longer resolves is retried later", async () => {
  const workspace = newWorkspace();
  const { id } = await subscribe(service, workspace, "https://vanished.example.com/");
  await service.publish(...movements(workspace, 1));
  await eventually(async () =>
    expect(await log(service, workspace, id)).toMatchObject([{ lastError: "the name does not resolve" }]),
  );
});

test("a name in an allowed network is reached by plain http", async () => {
  const workspace = newWorkspace();
  const target = await receivers.start();
  names.set("receiver.example.com", ["127.0.0.1"]);
  await subscribe(service, workspace, `http://receiver.example.com:${target.port}/`);
  await service.publish(...movements(workspace, 1));
  await eventually(() => expect(target.received).toHaveLength(1));
  expect(target.received[0]?.headers.host).toBe(`receiver.example.com:${target.port}`);
});

test("an endpoint that never answers, with many pending deliveries, does not delay another endpoint", async () => {
  const workspace = newWorkspace();
  const slow = await receivers.start(() => {});
  const fast = await receivers.start();
  await subscribe(service, workspace, slow.url);
  const quick = newWorkspace();
  await subscribe(service, quick, fast.url);
  await service.publish(...movements(workspace, 60));
  await eventually(() => expect(slow.holding.now).toBe(5));
  await service.publish(...movements(quick, 30));
  await eventually(() => expect(fast.received).toHaveLength(30));
  // Meanwhile nearly all deliveries of the slow endpoint were still pending.
  expect(slow.received.length).toBeLessThan(20);
});

test("an endpoint gets at most five deliveries at once from all workers together, and each message once", async () => {
  await service.start();
  const workspace = newWorkspace();
  const target = await receivers.start(
    (response) => void setTimeout(() => response.writeHead(200).end(), 25),
  );
  await subscribe(service, workspace, target.url);
  await service.publish(...movements(workspace, 60));
  await eventually(() => expect(new Set(target.ids()).size).toBe(60));
  expect(target.holding.most).toBeLessThanOrEqual(5);
  expect(target.received).toHaveLength(60);
});
