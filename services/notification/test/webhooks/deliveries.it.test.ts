import { eventually } from "@asset-register/harness";
import { WorkspaceStatus } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { DeliveryStatus } from "@asset-register/proto/assetregister/notification/v1/webhook_pb";
import { CheckoutStatus, IssuedToType } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { topics } from "@asset-register/proto/topics";
import { newId } from "@asset-register/runtime";
import { failure, workspaceEvent } from "@asset-register/service-harness";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterEach, expect, test } from "vitest";
import { log, movements, receiverPool, subscribe } from "../delivering.ts";
import { movementEvent } from "../events.ts";
import { verifies } from "../receiver.ts";
import { newWorkspace, sharedNotification } from "../support.ts";

const receivers = receiverPool();

const service = await sharedNotification();
afterEach(() => receivers.stop());

test("the delivery of a movement has the movement and valid signatures of both kinds, and is in the log", async () => {
  const workspace = newWorkspace();
  const target = await receivers.start();
  const { id, secret } = await subscribe(service, workspace, target.url);
  await service.publish(movementEvent(workspace.workspaceId, "ast_1", 7));
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
    expect(await log(service, workspace, id)).toMatchObject([
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

test("what any topic reports is delivered once, but no republished state and nothing older than 30 days", async () => {
  const workspace = newWorkspace();
  const { workspaceId } = workspace;
  const target = await receivers.start();
  await subscribe(service, workspace, target.url, ["*"]);
  const common = { workspaceId, sequence: 1, type: "reported" };
  const asset = (subject: string) => ({ ...common, topic: topics.asset, subject, id: newId("msg") });
  // Ids of projected records are unique across workspaces, and other files share this service.
  const assetId = newId("ast");
  const readerId = newId("rdr");
  const created = { state: { id: assetId, number: "A-1" }, change: { case: "created" as const, value: {} } };
  const once = { ...asset(assetId), message: created };
  const posted = { case: "posted" as const, value: { runId: "run_1", lines: 2 } };
  await service.publish(
    { ...asset("ast_2"), message: created, type: "asset.republished" },
    { ...asset("ast_3"), message: created, time: new Date(Date.now() - 31 * 86_400_000) },
    ...[once, once],
  );
  await service.publish({
    ...{ ...common, topic: topics.tag, subject: "tag_1" },
    message: { state: { id: "tag_1", epc: "AA" }, change: { case: "commissioned", value: {} } },
  });
  await service.publish({
    ...{ ...common, topic: topics.stocktake, subject: "sts_1" },
    message: { state: { id: "sts_1" }, change: { case: "opened", value: {} } },
  });
  await service.publish({
    ...{ ...common, topic: topics.workOrder, subject: "wo_1" },
    message: { state: { id: "wo_1" }, change: { case: "created", value: {} } },
  });
  await service.publish({
    ...{ ...common, topic: topics.contract, subject: "ctr_1" },
    message: { state: { id: "ctr_1" }, change: { case: "cancelled", value: {} } },
  });
  await service.publish({
    ...{ ...common, topic: topics.depreciationRun, subject: "run_1", message: { change: posted } },
  });
  await service.publish({
    ...{ ...common, topic: topics.reader, subject: readerId },
    message: { state: { id: readerId }, change: { case: "revoked", value: {} } },
  });
  const types = [
    ...["asset.created", "contract.cancelled", "depreciation_run.posted", "reader.revoked"],
    ...["stocktake.opened", "tag.commissioned", "work_order.created"],
  ];
  await eventually(() => expect(target.received.map(({ body }) => body.type).sort()).toEqual(types));
  const [own] = target.received.filter(({ body }) => body.type === "asset.created");
  expect(own?.body.data).toEqual({ seq: 1, asset_id: assetId, number: "A-1" });
});

test("a checkout and its return are delivered", async () => {
  const workspace = newWorkspace();
  const target = await receivers.start();
  await subscribe(service, workspace, target.url, ["checkout.created", "checkout.returned"]);
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
  await service.publish(movementEvent(workspaceId, "ast_1", 1));
  await eventually(() =>
    expect(target.received.map(({ body }) => [body.type, body.data.seq]).sort()).toEqual([
      ["checkout.created", 1],
      ["checkout.returned", 2],
    ]),
  );
  expect(target.received[0]?.body.data).toMatchObject({ issued_to: { type: "custodian", id: "cus_1" } });
});

test("a message goes only to the subscriptions of its workspace that ask for its type", async () => {
  const [workspace, other] = [newWorkspace(), newWorkspace()];
  const [moved, alerts, everything, foreign] = await Promise.all([1, 2, 3, 4].map(() => receivers.start()));
  await subscribe(service, workspace, moved!.url, ["asset.moved"]);
  await subscribe(service, workspace, alerts!.url, ["alert.raised"]);
  await subscribe(service, workspace, everything!.url, ["*"]);
  await subscribe(service, other, foreign!.url, ["*"]);
  await service.publish(...movements(workspace, 1));
  await eventually(() =>
    expect([moved!, everything!].map(({ received }) => received.length)).toEqual([1, 1]),
  );
  expect(everything!.ids()).toEqual(moved!.ids());
  expect([alerts!.received, foreign!.received]).toEqual([[], []]);
});

test("an event that comes twice is delivered once, with an id that depends on the event alone", async () => {
  const workspace = newWorkspace();
  const target = await receivers.start();
  const { id } = await subscribe(service, workspace, target.url);
  const event = movementEvent(workspace.workspaceId, "ast_1", 1);
  await service.publish(event, event);
  await service.publish(event, movementEvent(workspace.workspaceId, "ast_1", 2));
  await eventually(() => expect(new Set(target.ids()).size).toBe(2));
  expect(await log(service, workspace, id)).toHaveLength(2);
  expect(target.received).toHaveLength(2);
});

test("a change of a newer release is not delivered, and the events after it are", async () => {
  const workspace = newWorkspace();
  const target = await receivers.start();
  await subscribe(service, workspace, target.url);
  const event = movementEvent(workspace.workspaceId, "ast_1", 1);
  await service.publish({ ...event, message: {} });
  await service.publish(movementEvent(workspace.workspaceId, "ast_1", 2));
  await eventually(() => expect(target.received.map(({ body }) => body.data.seq)).toEqual([2]));
});

test("events of a disabled workspace are not delivered", async () => {
  const workspace = newWorkspace();
  const target = await receivers.start();
  await subscribe(service, workspace, target.url);
  const { workspaceId } = workspace;
  await service.publish(workspaceEvent(workspaceId, 2, { status: WorkspaceStatus.DISABLED }));
  await eventually(async () => expect(await service.stores.workspaces.isDisabled(workspaceId)).toBe(true));
  await service.publish(...movements(workspace, 1));
  const witness = newWorkspace();
  const other = await receivers.start();
  await subscribe(service, witness, other.url);
  await service.publish(...movements(witness, 4));
  await eventually(() => expect(other.received).toHaveLength(4));
  expect(target.received).toEqual([]);
});

test("the log is listed newest first, by page number or by cursor", async () => {
  const workspace = newWorkspace();
  const target = await receivers.start();
  const { id: webhookId } = await subscribe(service, workspace, target.url);
  await service.publish(...movements(workspace, 5));
  await eventually(async () => expect(await log(service, workspace, webhookId)).toHaveLength(5));
  const page = (part: { page?: number; cursor?: string | undefined }) =>
    service.webhooks.listDeliveries({ webhookId, page: { limit: 2, ...part } }, workspace.asProgram);
  const first = await page({});
  const second = await page({ cursor: first.page?.nextCursor });
  const third = await page({ cursor: second.page?.nextCursor });
  const ids = [first, second, third].flatMap(({ deliveries }) => deliveries.map(({ id }) => id));
  expect(ids).toEqual((await log(service, workspace, webhookId)).map(({ id }) => id));
  expect(ids).toEqual([...ids].sort().reverse());
  expect(third.page?.total).toBe(5);
  expect(third.page?.nextCursor).toBeUndefined();
  expect((await page({ page: 2 })).deliveries.map(({ id }) => id)).toEqual(ids.slice(2, 4));
  expect(await failure(page({ cursor: "nonsense" }))).toMatchObject({ violations: [{ field: "cursor" }] });
});

test("endpoints with pending deliveries are found by skipping through the index, one key for each endpoint", async () => {
  const plan = JSON.stringify(await service.stores.dueDeliveries.explain());
  expect(plan).toContain("DISTINCT_SCAN");
  expect(plan).not.toContain("COLLSCAN");
});
