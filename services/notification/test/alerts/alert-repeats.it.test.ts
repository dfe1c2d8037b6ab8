import { eventually } from "@asset-register/harness";
import { AlertChannel, AlertStatus } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { newId } from "@asset-register/runtime";
import { codeOf, failure } from "@asset-register/service-harness";
import { expect, test } from "vitest";
import type { Sighting } from "../../src/domain/alerts/sighting.ts";
import { applySightings } from "../../src/operations/judging/apply-sightings.ts";
import { alertsOf, arrived, makeRule, seen, seenIn, taggedAsset } from "../alerting.ts";
import { startReceiver } from "../receiver.ts";
import { newWorkspace, sharedNotification } from "../support.ts";

// Repeated and concurrent sightings and changes have one effect.

const service = await sharedNotification();

/** A workspace with a rule that fires in a zone. */
async function watchedZone(fields: { channel?: AlertChannel; channelTarget?: string } = {}) {
  const workspace = newWorkspace();
  const zoneId = await service.zone(workspace.workspaceId);
  await makeRule(service, workspace, { condition: seenIn(zoneId), ...fields });
  return { workspace, zoneId };
}

/** Sightings of one asset in a zone, by their sequence, applied as a consumer applies a batch. */
function consumer(workspaceId: string, zoneId: string) {
  const assetId = newId("ast");
  const sighting = (sequence: number): Sighting => ({
    ...{
      id: `msg_${sequence}`,
      kind: "seen",
      epc: "E1",
      assetId,
      zoneId,
      at: new Date(),
      receivedAt: new Date(),
    },
    order: { epoch: 0, sequence },
  });
  return (...sequences: number[]): Promise<void> =>
    applySightings(service.context, workspaceId, sequences.map(sighting));
}

test("two sightings open one alert with the count 2, and it is reported once", async () => {
  const target = await startReceiver();
  const { workspace, zoneId } = await watchedZone({
    channel: AlertChannel.WEBHOOK,
    channelTarget: target.url,
  });
  const one = taggedAsset(service, workspace);
  await service.publish(one.read({ change: arrived, zoneId }), one.read({ change: seen, zoneId }));
  await eventually(async () =>
    expect(await alertsOf(service, workspace)).toMatchObject([{ count: 2, rev: 1 }]),
  );
  await eventually(() => expect(target.received).toHaveLength(1));
  await target.stop();
});

test("concurrent consumers of the same sightings, while a partition moves, open one alert", async () => {
  const { workspace, zoneId } = await watchedZone();
  const see = consumer(workspace.workspaceId, zoneId);
  await Promise.all([1, 2, 3].map(() => see(1, 2)));
  expect(await alertsOf(service, workspace)).toMatchObject([{ count: 2, rev: 1 }]);
});

test("an alert that is resolved while its tag is still read stays the only one: the cooldown begins at once", async () => {
  const { workspace, zoneId } = await watchedZone();
  const see = consumer(workspace.workspaceId, zoneId);
  await see(1);
  const [open] = await alertsOf(service, workspace);
  await Promise.all([
    see(2, 3, 4, 5, 6, 7, 8),
    service.alerts.resolveAlert({ id: open?.id ?? "" }, workspace.asPerson),
  ]);
  await see(9);
  expect(await alertsOf(service, workspace)).toMatchObject([{ status: AlertStatus.RESOLVED, rev: 2 }]);
});

test("an event that is delivered again is counted once", async () => {
  const { workspace, zoneId } = await watchedZone();
  const one = taggedAsset(service, workspace);
  const [first, second] = [one.read({ change: arrived, zoneId }), one.read({ change: seen, zoneId })];
  await service.publish(first, second, first, second);
  await one.see({ change: seen, zoneId });
  await eventually(async () => expect(await alertsOf(service, workspace)).toMatchObject([{ count: 3 }]));
});

test("concurrent acknowledgements change an alert once; resolved is final; another workspace gets NOT_FOUND", async () => {
  const { workspace, zoneId } = await watchedZone();
  await taggedAsset(service, workspace).see({ change: arrived, zoneId });
  const id = await eventually(async () => {
    const [alert] = await alertsOf(service, workspace);
    expect(alert).toBeDefined();
    return alert?.id ?? "";
  });
  const acknowledge = () => service.alerts.acknowledgeAlert({ id }, workspace.asPerson);
  const answers = await Promise.all([1, 2, 3].map(acknowledge));
  for (const { alert } of answers) {
    expect(alert).toMatchObject({ status: AlertStatus.ACKNOWLEDGED, rev: 2 });
    expect(alert?.acknowledgedAt).toEqual(answers[0]?.alert?.acknowledgedAt);
  }
  await eventually(() =>
    expect(service.recorded.alert.of(id).map(({ type, sequence }) => `${sequence} ${type}`)).toEqual([
      "1 alert.raised",
      "2 alert.acknowledged",
    ]),
  );
  expect(await codeOf(service.alerts.resolveAlert({ id }, newWorkspace().asPerson))).toBe("NOT_FOUND");
  const resolved = await service.alerts.resolveAlert({ id }, workspace.asPerson);
  expect(await service.alerts.resolveAlert({ id }, workspace.asPerson)).toEqual(resolved);
  expect(await failure(acknowledge())).toMatchObject({ kind: "conflict", code: "ALERT_RESOLVED" });
  const count = async (status: AlertStatus) =>
    (await service.alerts.listAlerts({ status }, workspace.asPerson)).alerts.length;
  expect([await count(AlertStatus.OPEN), await count(AlertStatus.RESOLVED)]).toEqual([0, 1]);
});
