import { eventually } from "@asset-register/harness";
import { WorkspaceStatus } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import {
  DeliveryStatus,
  WebhookStatus,
} from "@asset-register/proto/assetregister/notification/v1/webhook_pb";
import { CheckoutStatus, IssuedToType } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { topics } from "@asset-register/proto/topics";
import { newId } from "@asset-register/runtime";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Answering, type Receiver, startReceiver, verifies } from "./receiver.ts";
import { newWorkspace, type RunningNotification, startNotification, type Workspace } from "./support.ts";

const names = new Map<string, string[]>();
const receivers: Receiver[] = [];

let service: RunningNotification;
beforeAll(async () => {
  service = await startNotification({
    resolve: async (hostname) => {
      const addresses = names.get(hostname);
      if (addresses === undefined) throw new Error("NXDOMAIN");
      return addresses;
    },
  });
});
afterAll(() => service.stop());
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()));
});

const receiver = async (answer?: Answering): Promise<Receiver> => {
  const started = await startReceiver(answer);
  receivers.push(started);
  return started;
};

const subscribe = async (workspace: Workspace, url: string, events = ["*"]) => {
  const { webhook, secret } = await service.webhooks.createWebhook({ url, events }, workspace.asProgram);
  return { id: webhook?.id ?? "", secret };
};

const log = async (workspace: Workspace, webhookId: string) =>
  (await service.webhooks.listDeliveries({ webhookId }, workspace.asProgram)).deliveries;

const moves = (workspace: Workspace, count: number) =>
  Array.from({ length: count }, (_, index) =>
    service.movement(workspace.workspaceId, newId("ast"), index + 1),
  );

describe("a delivery", () => {
  test("of a movement carries what happened, with valid signatures of both kinds, and is logged", async () => {
    const workspace = newWorkspace();
    const target = await receiver();
    const { id, secret } = await subscribe(workspace, target.url);
    await service.publish(service.movement(workspace.workspaceId, "ast_1", 7));
    await eventually(() => expect(target.received).toHaveLength(1));
    const [got] = target.received;
    expect(verifies(got!, secret)).toBe(true);
    expect(got?.headers["webhook-id"]).toBe(got?.body.id);
    expect(got?.headers["content-type"]).toBe("application/json");
    expect(got?.body).toMatchObject({
      type: "asset.moved",
      workspace_id: workspace.workspaceId,
      data: {
        seq: 7,
        asset_id: "ast_1",
        from: { location_id: "loc_a", custodian_id: null },
        to: { location_id: "loc_b", custodian_id: null },
        reason: "transfer",
        by: { kind: "user", id: "usr_1" },
      },
    });
    await eventually(async () =>
      expect(await log(workspace, id)).toMatchObject([
        {
          messageId: got?.body.id,
          type: "asset.moved",
          status: DeliveryStatus.DELIVERED,
          attempts: 1,
          lastResponseStatus: 204,
        },
      ]),
    );
  });

  test("of a checkout and its return", async () => {
    const workspace = newWorkspace();
    const target = await receiver();
    await subscribe(workspace, target.url, ["checkout.created", "checkout.returned"]);
    const checkout = {
      id: "chk_1",
      assetId: "ast_1",
      status: CheckoutStatus.OPEN,
      issuedToType: IssuedToType.CUSTODIAN,
      issuedToId: "cus_1",
      issuedAt: timestampFromDate(new Date()),
    };
    const { workspaceId } = workspace;
    const common = { topic: topics.checkout, workspaceId, subject: "ast_1" };
    await service.publish(
      {
        ...common,
        sequence: 1,
        type: "checkout.created",
        message: { state: checkout, change: { case: "created", value: {} } },
      },
      {
        ...common,
        sequence: 2,
        type: "checkout.returned",
        message: { state: { ...checkout, returnedLate: true }, change: { case: "returned", value: {} } },
      },
    );
    await service.publish(service.movement(workspaceId, "ast_1", 1));
    await eventually(() =>
      expect(target.received.map(({ body }) => [body.type, body.data.seq]).sort()).toEqual([
        ["checkout.created", 1],
        ["checkout.returned", 2],
      ]),
    );
    expect(target.received[0]?.body.data).toMatchObject({ issued_to: { type: "custodian", id: "cus_1" } });
  });

  test("goes to those who asked for the type, in its workspace only", async () => {
    const [workspace, other] = [newWorkspace(), newWorkspace()];
    const [moved, alerts, everything, foreign] = await Promise.all([1, 2, 3, 4].map(() => receiver()));
    await subscribe(workspace, moved!.url, ["asset.moved"]);
    await subscribe(workspace, alerts!.url, ["alert.raised"]);
    await subscribe(workspace, everything!.url, ["*"]);
    await subscribe(other, foreign!.url, ["*"]);
    await service.publish(...moves(workspace, 1));
    await eventually(() =>
      expect([moved!, everything!].map(({ received }) => received.length)).toEqual([1, 1]),
    );
    expect(everything!.ids()).toEqual(moved!.ids());
    expect([alerts!.received, foreign!.received]).toEqual([[], []]);
  });

  test("is made once for an event that comes twice, with an id that depends on the event alone", async () => {
    const workspace = newWorkspace();
    const target = await receiver();
    const { id } = await subscribe(workspace, target.url);
    const event = service.movement(workspace.workspaceId, "ast_1", 1);
    await service.publish(event, event);
    await service.publish(event, service.movement(workspace.workspaceId, "ast_1", 2));
    await eventually(() => expect(new Set(target.ids()).size).toBe(2));
    expect(await log(workspace, id)).toHaveLength(2);
    expect(target.received).toHaveLength(2);
  });

  test("is not made from a change of a newer release, and what follows goes on", async () => {
    const workspace = newWorkspace();
    const target = await receiver();
    await subscribe(workspace, target.url);
    const event = service.movement(workspace.workspaceId, "ast_1", 1);
    await service.publish({ ...event, message: {} });
    await service.publish(service.movement(workspace.workspaceId, "ast_1", 2));
    await eventually(() => expect(target.received.map(({ body }) => body.data.seq)).toEqual([2]));
  });

  test("is not made for a disabled workspace", async () => {
    const workspace = newWorkspace();
    const target = await receiver();
    await subscribe(workspace, target.url);
    const { workspaceId } = workspace;
    await service.publish({
      topic: topics.workspace,
      workspaceId,
      subject: workspaceId,
      sequence: 2,
      type: "workspace.disabled",
      message: {
        state: { id: workspaceId, status: WorkspaceStatus.DISABLED },
        change: { case: "disabled", value: {} },
      },
    });
    await eventually(async () => expect(await service.store.workspaces.isDisabled(workspaceId)).toBe(true));
    await service.publish(...moves(workspace, 1));
    const witness = newWorkspace();
    const other = await receiver();
    await subscribe(witness, other.url);
    await service.publish(...moves(witness, 4));
    await eventually(() => expect(other.received).toHaveLength(4));
    expect(target.received).toEqual([]);
  });
});

describe("an attempt that fails", () => {
  test("is made again on schedule, with the same id and a signature of its own", async () => {
    const workspace = newWorkspace();
    const target = await receiver(
      (response, _got, nth) => void response.writeHead(nth === 1 ? 500 : 200).end("no"),
    );
    const { id, secret } = await subscribe(workspace, target.url);
    await service.publish(...moves(workspace, 1));
    await eventually(async () =>
      expect(await log(workspace, id)).toMatchObject([
        { status: DeliveryStatus.PENDING, attempts: 1, lastResponseStatus: 500, lastError: "answered 500" },
      ]),
    );
    await eventually(async () =>
      expect(await log(workspace, id)).toMatchObject([{ status: DeliveryStatus.DELIVERED, attempts: 2 }]),
    );
    expect(new Set(target.ids()).size).toBe(1);
    expect(target.received.map((got) => verifies(got, secret))).toEqual([true, true]);
  });

  test("by a redirect is not followed", async () => {
    const workspace = newWorkspace();
    const elsewhere = await receiver();
    const target = await receiver(
      (response) => void response.writeHead(307, { location: elsewhere.url }).end(),
    );
    const { id } = await subscribe(workspace, target.url);
    await service.publish(...moves(workspace, 1));
    await eventually(async () =>
      expect(await log(workspace, id)).toMatchObject([
        { status: DeliveryStatus.PENDING, lastResponseStatus: 307, lastError: "answered 307" },
      ]),
    );
    expect(elsewhere.received).toEqual([]);
  });

  test("by silence is given up in time, and an endless answer is not read", async () => {
    const workspace = newWorkspace();
    const silent = await receiver(() => {});
    const endless = await receiver((response) => {
      response.writeHead(200);
      const pour = (): void => {
        while (!response.destroyed && response.write("x".repeat(16_384)));
      };
      response.on("drain", pour);
      pour();
    });
    const [first, second] = [await subscribe(workspace, silent.url), await subscribe(workspace, endless.url)];
    await service.publish(...moves(workspace, 1));
    await eventually(async () => {
      expect(await log(workspace, second.id)).toMatchObject([{ status: DeliveryStatus.DELIVERED }]);
      expect(await log(workspace, first.id)).toMatchObject([
        { status: DeliveryStatus.PENDING, lastResponseStatus: 0, lastError: "no answer within 2000 ms" },
      ]);
    });
    await eventually(() => expect(endless.holding.now).toBe(0));
  });

  test("by 410 turns the subscription off at once, leaves a notice, and drops what waits", async () => {
    const workspace = newWorkspace();
    const target = await receiver((response) => void response.writeHead(410).end());
    const { id } = await subscribe(workspace, target.url);
    await service.publish(...moves(workspace, 20));
    await eventually(async () => {
      const deliveries = await log(workspace, id);
      expect(deliveries).toHaveLength(20);
      expect(deliveries.every(({ status }) => status === DeliveryStatus.FAILED)).toBe(true);
    });
    const { webhooks } = await service.webhooks.listWebhooks({}, workspace.asProgram);
    expect(webhooks).toMatchObject([{ status: WebhookStatus.DISABLED, rev: 2n }]);
    const notices = service.store.mongo.collection("notices").find({ workspaceId: workspace.workspaceId });
    expect(await notices.toArray()).toMatchObject([
      { kind: "endpoint_disabled", endpoint_id: id, reason: "gone" },
    ]);
  });
});

describe("a receiver's name", () => {
  test("that moves to a private address after the subscription was made gets nothing", async () => {
    const workspace = newWorkspace();
    names.set("rebind.example.com", ["93.184.215.14"]);
    const { id } = await subscribe(workspace, "https://rebind.example.com:8443/");
    names.set("rebind.example.com", ["93.184.215.14", "10.0.0.7"]);
    await service.publish(...moves(workspace, 1));
    await eventually(async () =>
      expect(await log(workspace, id)).toMatchObject([
        {
          status: DeliveryStatus.PENDING,
          lastResponseStatus: 0,
          lastError: "the name resolves to an address that is not public",
        },
      ]),
    );
  });

  test("that has vanished is tried again later", async () => {
    const workspace = newWorkspace();
    const { id } = await subscribe(workspace, "https://vanished.example.com/");
    await service.publish(...moves(workspace, 1));
    await eventually(async () =>
      expect(await log(workspace, id)).toMatchObject([{ lastError: "the name does not resolve" }]),
    );
  });

  test("in an allowed network is reached by plain http", async () => {
    const workspace = newWorkspace();
    const target = await receiver();
    names.set("receiver.example.com", ["127.0.0.1"]);
    await subscribe(workspace, `http://receiver.example.com:${target.port}/`);
    await service.publish(...moves(workspace, 1));
    await eventually(() => expect(target.received).toHaveLength(1));
    expect(target.received[0]?.headers.host).toBe(`receiver.example.com:${target.port}`);
  });
});

describe("endpoints side by side", () => {
  test("one that never answers, with many waiting, does not delay another", async () => {
    const workspace = newWorkspace();
    const slow = await receiver(() => {});
    const fast = await receiver();
    await subscribe(workspace, slow.url);
    const quick = newWorkspace();
    await subscribe(quick, fast.url);
    await service.publish(...moves(workspace, 60));
    await eventually(() => expect(slow.holding.now).toBe(5));
    await service.publish(...moves(quick, 30));
    await eventually(() => expect(fast.received).toHaveLength(30));
    // All of it while nearly all of the slow one's still waited.
    expect(slow.received.length).toBeLessThan(20);
  });

  test("one gets at most five at once, however many workers there are, and each message once", async () => {
    await service.another();
    const workspace = newWorkspace();
    const target = await receiver((response) => void setTimeout(() => response.writeHead(200).end(), 25));
    await subscribe(workspace, target.url);
    await service.publish(...moves(workspace, 60));
    await eventually(() => expect(new Set(target.ids()).size).toBe(60));
    expect(target.holding.most).toBeLessThanOrEqual(5);
    expect(target.received).toHaveLength(60);
  });
});

test("the log is read newest first, page by page, by number or cursor", async () => {
  const workspace = newWorkspace();
  const target = await receiver();
  const { id: webhookId } = await subscribe(workspace, target.url);
  await service.publish(...moves(workspace, 5));
  await eventually(async () => expect(await log(workspace, webhookId)).toHaveLength(5));
  const page = (part: { page?: number; cursor?: string }) =>
    service.webhooks.listDeliveries({ webhookId, page: { limit: 2, ...part } }, workspace.asProgram);
  const first = await page({});
  const second = await page({ cursor: first.page?.nextCursor ?? "" });
  const third = await page({ cursor: second.page?.nextCursor ?? "" });
  const ids = [first, second, third].flatMap(({ deliveries }) => deliveries.map(({ id }) => id));
  expect(ids).toEqual((await log(workspace, webhookId)).map(({ id }) => id));
  expect(ids).toEqual([...ids].sort().reverse());
  expect(third.page).toMatchObject({ total: 5n, nextCursor: "" });
  expect((await page({ page: 2 })).deliveries.map(({ id }) => id)).toEqual(ids.slice(2, 4));
  await expect(page({ cursor: "nonsense" })).rejects.toMatchObject({ violations: [{ field: "cursor" }] });
});

test("what waits is found by skipping through the index, one key an endpoint", async () => {
  const plan = JSON.stringify(await service.store.due.explain());
  expect(plan).toContain("DISTINCT_SCAN");
  expect(plan).not.toContain("COLLSCAN");
});
