import { eventually } from "@asset-register/harness";
import { systemCollection } from "@asset-register/mongo/system";
import { WebhookStatus } from "@asset-register/proto/assetregister/notification/v1/webhook_pb";
import { newId } from "@asset-register/runtime";
import { afterAll, afterEach, expect, test } from "vitest";
import { pendingSightings } from "../../migrations/0004-pending-sightings.ts";
import type { Sighting } from "../../src/domain/alerts/sighting.ts";
import { movementMessage } from "../../src/domain/webhooks/payload.ts";
import { judgeWaiting } from "../../src/operations/sweeps/judge-waiting.ts";
import { enqueueMessages } from "../../src/operations/webhooks/enqueue-messages.ts";
import { alertsOf, arrived, makeRule, seenIn, taggedAsset } from "../alerting.ts";
import { openContext } from "../context.ts";
import { log, receiverPool, subscribe } from "../delivering.ts";
import { movementEvent } from "../events.ts";
import { newWorkspace, startNotification } from "../support.ts";

// Kafka keeps events for 30 days, and an operator can make the service read them again.

const receivers = receiverPool();
const service = await startNotification();
afterAll(() => service.stop());
afterEach(() => receivers.stop());

const HOUR = 3_600_000;
const before = (ms: number) => new Date(Date.now() - ms);
const MINUTE = 60_000;
/** As if it had been active for an hour. */
const age = (collection: string, id: string) =>
  systemCollection<{ _id: string; activeSince: Date }>(service.mongo, collection).updateOne(
    { _id: id },
    { $set: { activeSince: before(HOUR) } },
  );

test("sightings that were received before a rule was made, or enabled again, raise nothing", async () => {
  const workspace = newWorkspace();
  const zoneId = await service.zone(workspace.workspaceId);
  const { id } = await makeRule(service, workspace, { condition: seenIn(zoneId) });
  const [old, fresh, between] = [1, 2, 3].map(() => taggedAsset(service, workspace));
  await old!.see({ change: arrived, zoneId, at: before(HOUR), receivedAt: before(HOUR) });
  await fresh!.see({ change: arrived, zoneId });
  await eventually(async () =>
    expect((await alertsOf(service, workspace)).map(({ subject }) => subject)).toEqual([fresh!.assetId]),
  );
  await age("alert_rules", id);
  const whileDisabled = before(MINUTE);
  const enable = (enabled: boolean) =>
    service.alerts.updateAlertRule(
      { alertRule: { id, enabled }, updateMask: { paths: ["enabled"] } },
      workspace.asPerson,
    );
  await enable(false);
  await enable(true);
  await between!.see({ change: arrived, zoneId, at: whileDisabled, receivedAt: whileDisabled });
  const last = taggedAsset(service, workspace);
  await last.see({ change: arrived, zoneId });
  await eventually(async () => expect(await alertsOf(service, workspace)).toHaveLength(2));
  expect((await alertsOf(service, workspace)).map(({ subject }) => subject).sort()).toEqual(
    [fresh!.assetId, last.assetId].sort(),
  );
});

test("a subscription gets no movement that was published before it was made or enabled again", async () => {
  const workspace = newWorkspace();
  const { workspaceId } = workspace;
  const { id } = await subscribe(service, workspace, "http://127.0.0.1:9/");
  const publish = (publishedAt: Date) => {
    const movement = {
      id: newId("mov"),
      assetId: "ast_1",
      at: publishedAt,
      by: { kind: "user", id: "usr_1" },
    };
    const cause = { workspaceId, id: newId("msg"), sequence: 1, time: publishedAt, publishedAt };
    return enqueueMessages(service.context, workspaceId, [movementMessage(cause, movement)]);
  };
  const count = async () => (await log(service, workspace, id)).length;
  await publish(before(HOUR));
  expect(await count()).toBe(0);
  await age("endpoints", id);
  const first = before(MINUTE);
  await publish(first);
  expect(await count()).toBe(1);
  const set = (status: WebhookStatus) =>
    service.webhooks.updateWebhook(
      { webhook: { id, status }, updateMask: { paths: ["status"] } },
      workspace.asProgram,
    );
  await set(WebhookStatus.DISABLED);
  await set(WebhookStatus.ACTIVE);
  await publish(first);
  expect(await count()).toBe(1);
  await publish(new Date());
  expect(await count()).toBe(2);
});

test("a second reading of a movement makes no second delivery, and its row is kept for longer than the topic", async () => {
  const workspace = newWorkspace();
  const target = await receivers.start();
  const { id } = await subscribe(service, workspace, target.url);
  const movement = movementEvent(workspace.workspaceId, "ast_1", 1);
  await service.publish(movement, movement, movementEvent(workspace.workspaceId, "ast_1", 2));
  await eventually(() => expect(target.received).toHaveLength(2));
  expect(await log(service, workspace, id)).toHaveLength(2);
  const indexes = await systemCollection(service.mongo, "deliveries").indexes();
  const expiry = indexes.find(({ expireAfterSeconds }) => expireAfterSeconds !== undefined);
  expect(expiry).toMatchObject({ expireAfterSeconds: 45 * 86_400 });
  expect(expiry?.partialFilterExpression).toEqual({ status: { $in: ["delivered", "failed"] } });
});

test("the database deletes no sighting that waits; a sweep drops those that have waited for more than 30 days", async () => {
  const context = await openContext({
    send: async () => ({ error: "nothing is sent here", durationMs: 0 }),
    close: async () => undefined,
  });
  const { mongo, stores } = context;
  const workspaceId = newId("wsp");
  const rows = systemCollection(mongo, "waiting_sightings");
  await rows.createIndex({ savedAt: 1 }, { name: "expiry", expireAfterSeconds: 30 * 86_400 });
  await pendingSightings.up(mongo);
  expect((await rows.indexes()).filter((index) => "expireAfterSeconds" in index)).toEqual([]);

  // In a disabled workspace everything waits.
  const fields = { active: false, disabled: true };
  const disabled = { workspaceId, id: workspaceId, epoch: 0, sequence: 1, fields };
  await stores.workspaces.project([disabled]);
  for (const days of [29, 31]) {
    const sighting: Sighting = {
      ...{ id: `msg_${days}`, kind: "arrived", epc: "30AB", assetId: "ast_1" },
      ...{ at: new Date(), receivedAt: new Date(), order: { epoch: 0, sequence: days } },
    };
    await stores.waitingSightings.addOnce(
      workspaceId,
      [{ ruleId: "rul_1", sighting }],
      before(days * 24 * HOUR),
    );
  }
  await judgeWaiting(context, new AbortController().signal);
  const left = await stores.waitingSightings.list(workspaceId, 10);
  expect(left.map(({ sighting }) => sighting.id)).toEqual(["msg_29"]);
  await mongo.close();
});
