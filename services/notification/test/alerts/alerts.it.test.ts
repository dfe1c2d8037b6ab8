import { eventually } from "@asset-register/harness";
import {
  AlertChannel,
  AlertScope,
  AlertStatus,
} from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { topics } from "@asset-register/proto/topics";
import { expect, test } from "vitest";
import {
  alertsOf,
  arrived,
  leaves,
  left,
  makeRule,
  readerGone,
  seen,
  seenIn,
  taggedAsset,
  unconfirmed,
  unknownTag,
} from "../alerting.ts";
import { sightingEvent } from "../events.ts";
import { startReceiver, verifies } from "../receiver.ts";
import { newWorkspace, sharedNotification } from "../support.ts";

const service = await sharedNotification();

test("a tag that is seen in the zone opens an alert, which the rule's webhook, subscriptions and the topic report", async () => {
  const workspace = newWorkspace();
  const zoneId = await service.zone(workspace.workspaceId);
  const [channel, subscriber] = [await startReceiver(), await startReceiver()];
  const rule = await makeRule(service, workspace, {
    condition: seenIn(zoneId),
    channel: AlertChannel.WEBHOOK,
    channelTarget: channel.url,
  });
  const events = ["alert.raised", "alert.acknowledged", "alert.resolved"];
  const subscription = await service.webhooks.createWebhook(
    { webhook: { url: subscriber.url, events } },
    workspace.asProgram,
  );
  const one = taggedAsset(service, workspace);
  await one.see({ change: arrived, zoneId });
  await eventually(() =>
    expect([channel, subscriber].map(({ received }) => received.length)).toEqual([1, 1]),
  );
  expect(verifies(channel.received[0]!, rule.secret)).toBe(true);
  expect(verifies(subscriber.received[0]!, subscription.secret)).toBe(true);

  const [alert] = await alertsOf(service, workspace);
  expect(alert).toMatchObject({
    ruleId: rule.id,
    status: AlertStatus.OPEN,
    subject: one.assetId,
    assetId: one.assetId,
    zoneId,
    readerId: "rdr_1",
    count: 1,
    rev: 1,
  });
  expect(channel.received[0]?.body).toMatchObject({
    type: "alert.raised",
    data: { seq: 1, alert_id: alert?.id, rule_id: rule.id, asset_id: one.assetId, zone_id: zoneId },
  });

  const id = alert?.id ?? "";
  await service.alerts.acknowledgeAlert({ id }, workspace.asPerson);
  await service.alerts.resolveAlert({ id }, workspace.asPerson);
  await eventually(() =>
    expect(subscriber.received.map(({ body }) => `${body.type} ${body.data.seq}`).sort()).toEqual([
      "alert.acknowledged 2",
      "alert.raised 1",
      "alert.resolved 3",
    ]),
  );
  await eventually(() => {
    const published = service.recorded.alert.of(id);
    expect(published.map(({ type, sequence }) => `${sequence} ${type}`)).toEqual([
      "1 alert.raised",
      "2 alert.acknowledged",
      "3 alert.resolved",
    ]);
    expect(published.map(({ message }) => message?.state?.id)).toEqual([id, id, id]);
  });
  expect(channel.received).toHaveLength(1);
  await Promise.all([channel, subscriber].map((receiver) => receiver.stop()));
});

test("no alert opens during the cooldown after a resolution, and one opens after it", async () => {
  const workspace = newWorkspace();
  const zoneId = await service.zone(workspace.workspaceId);
  const patient = await makeRule(service, workspace, { condition: seenIn(zoneId) });
  const eager = await makeRule(service, workspace, { condition: seenIn(zoneId), cooldownSeconds: 0 });
  const one = taggedAsset(service, workspace);
  await one.see({ change: arrived, zoneId });
  const open = await eventually(async () => {
    const alerts = await alertsOf(service, workspace);
    expect(alerts).toHaveLength(2);
    return alerts;
  });
  for (const { id } of open) await service.alerts.resolveAlert({ id }, workspace.asPerson);
  await one.see({ change: seen, zoneId, receivedAt: new Date(Date.now() + 1000) });
  await eventually(async () => expect(await alertsOf(service, workspace)).toHaveLength(3));
  expect((await alertsOf(service, workspace)).map(({ ruleId }) => ruleId).sort()).toEqual(
    [patient.id, eager.id, eager.id].sort(),
  );
});

test("an alert of left_zone is resolved when the tag returns", async () => {
  const workspace = newWorkspace();
  const zoneId = await service.zone(workspace.workspaceId);
  await makeRule(service, workspace, { condition: leaves(zoneId) });
  const one = taggedAsset(service, workspace);
  await one.see({ change: left(zoneId), zoneId });
  await eventually(async () =>
    expect(await alertsOf(service, workspace)).toMatchObject([{ status: AlertStatus.OPEN }]),
  );
  await one.see({ change: arrived, zoneId });
  await eventually(async () =>
    expect(await alertsOf(service, workspace)).toMatchObject([
      { status: AlertStatus.RESOLVED, count: 1, rev: 2 },
    ]),
  );
});

test("reads that move nothing and tags without a reader raise no alert; a read in the zone ends one of left_zone", async () => {
  const workspace = newWorkspace();
  const zoneId = await service.zone(workspace.workspaceId);
  await makeRule(service, workspace, { condition: seenIn(zoneId) });
  const leaving = await makeRule(service, workspace, { condition: leaves(zoneId) });
  const [single, orphan] = [taggedAsset(service, workspace), taggedAsset(service, workspace)];
  const gone = taggedAsset(service, workspace);
  await single.see({ change: unconfirmed, zoneId });
  await orphan.see({ change: readerGone(zoneId) });
  await gone.see({ change: left(zoneId) });
  const own = { ruleId: leaving.id, subject: gone.assetId };
  await eventually(async () =>
    expect(await alertsOf(service, workspace)).toMatchObject([{ ...own, status: AlertStatus.OPEN }]),
  );
  await gone.see({ change: unconfirmed, zoneId });
  await eventually(async () =>
    expect(await alertsOf(service, workspace)).toMatchObject([{ ...own, status: AlertStatus.RESOLVED }]),
  );
});

test("reads that are uploaded more than 10 minutes late open no alert", async () => {
  const workspace = newWorkspace();
  const zoneId = await service.zone(workspace.workspaceId);
  await makeRule(service, workspace, { condition: seenIn(zoneId) });
  const [late, live] = [taggedAsset(service, workspace), taggedAsset(service, workspace)];
  await late.see({ change: arrived, zoneId, at: new Date(Date.now() - 601_000) });
  await live.see({ change: arrived, zoneId });
  await eventually(async () =>
    expect(await alertsOf(service, workspace)).toMatchObject([{ subject: live.assetId }]),
  );
});

test("an alert of an unknown tag has its epc as subject, and leaves a notice in the app", async () => {
  const workspace = newWorkspace();
  const { workspaceId } = workspace;
  const rule = await makeRule(service, workspace, { condition: unknownTag });
  const epc = "303435FC8803D056D15B963F";
  await service.publish(
    sightingEvent({ workspaceId, sequence: 1, epc, change: { case: "unknownTag", value: {} } }),
  );
  const [alert] = await eventually(async () => {
    const alerts = await alertsOf(service, workspace);
    expect(alerts).toMatchObject([{ subject: `epc:${epc}` }]);
    return alerts;
  });
  expect(alert?.assetId).toBeUndefined();
  const notices = service.mongo.collection("notices").find({ workspaceId });
  expect(await notices.toArray()).toMatchObject([{ kind: "alert", alertId: alert?.id, ruleId: rule.id }]);
});

test("a location rule looks at the asset's place, which the register answers for an asset that is not projected", async () => {
  const workspace = newWorkspace();
  const { workspaceId } = workspace;
  const zoneId = await service.zone(workspaceId);
  const scopeId = service.owners.locations.add(workspaceId, "loc_1");
  await makeRule(service, workspace, {
    ...{ condition: seenIn(zoneId), scopeType: AlertScope.LOCATION, scopeId },
  });
  const projected = taggedAsset(service, workspace);
  const elsewhere = taggedAsset(service, workspace);
  const unprojected = taggedAsset(service, workspace);
  for (const [{ assetId }, locationId] of [
    [projected, "loc_1"],
    [elsewhere, "loc_2"],
  ] as const) {
    await service.publish({
      ...{ topic: topics.asset, workspaceId, subject: assetId, sequence: 1, type: "asset.created" },
      message: { state: { id: assetId, locationId }, change: { case: "created", value: {} } },
    });
  }
  const ids = [projected.assetId, elsewhere.assetId];
  await eventually(async () => expect((await service.stores.assets.getMany(workspaceId, ids)).size).toBe(2));
  service.owners.assets.set(`${workspaceId}:${unprojected.assetId}`, { locationId: "loc_1" });
  for (const one of [elsewhere, projected, unprojected]) await one.see({ change: arrived, zoneId });
  await eventually(async () =>
    expect((await alertsOf(service, workspace)).map(({ subject }) => subject).sort()).toEqual(
      [projected.assetId, unprojected.assetId].sort(),
    ),
  );
});

test("the list of alerts can be filtered by status and by rule", async () => {
  const workspace = newWorkspace();
  const zoneId = await service.zone(workspace.workspaceId);
  const [first, second] = [
    await makeRule(service, workspace, { condition: seenIn(zoneId) }),
    await makeRule(service, workspace, { condition: seenIn(zoneId) }),
  ];
  await taggedAsset(service, workspace).see({ change: arrived, zoneId });
  await eventually(async () => expect(await alertsOf(service, workspace)).toHaveLength(2));
  const { alerts } = await service.alerts.listAlerts({ ruleId: first.id }, workspace.asPerson);
  expect(alerts).toMatchObject([{ ruleId: first.id }]);
  await service.alerts.resolveAlert({ id: alerts[0]?.id ?? "" }, workspace.asPerson);
  const open = await service.alerts.listAlerts({ status: AlertStatus.OPEN }, workspace.asPerson);
  expect(open.alerts).toMatchObject([{ ruleId: second.id }]);
});
