import { eventually } from "@asset-register/harness";
import { AlertChannel, AlertScope } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { AlertRuleReceiverService } from "@asset-register/proto/assetregister/notification/v1/alert_rule_receiver_pb";
import {
  DeliveryStatus,
  WebhookStatus,
} from "@asset-register/proto/assetregister/notification/v1/webhook_pb";
import { newId } from "@asset-register/runtime";
import { type Caller, codeOf, inAnotherSession } from "@asset-register/service-harness";
import { afterEach, expect, test } from "vitest";
import { arrived, makeRule, seenIn } from "../alerting.ts";
import { receiverPool, subscribe } from "../delivering.ts";
import { sightingEvent } from "../events.ts";
import { verifiesWith } from "../receiver.ts";
import { newWorkspace, sharedNotification } from "../support.ts";

const receivers = receiverPool();
const service = await sharedNotification();
const rules = service.client(AlertRuleReceiverService);
afterEach(() => receivers.stop());

test("a repeat shows the secret of a rule to the same session only, until its overlap ends or the rule is deleted", async () => {
  const workspace = newWorkspace();
  const { workspaceId, asPerson } = workspace;
  const zoneId = await service.zone(workspaceId);
  const rule = {
    ...{
      name: "Gate",
      scopeType: AlertScope.ALL,
      channel: AlertChannel.WEBHOOK,
      channelTarget: "https://hooks.example.com/in",
    },
    condition: seenIn(zoneId),
  };
  const create = (as: Caller) =>
    service.alerts.createAlertRule({ alertRule: rule }, { ...as, idempotencyKey: "create" });
  const made = await create(asPerson);
  const id = made.alertRule?.id ?? "";
  const rotate = (as: Caller) =>
    rules.rotateAlertRuleSecret({ id, overlapSeconds: 0 }, { ...as, idempotencyKey: "rotate" });
  expect(await create(asPerson)).toEqual(made);
  expect(await codeOf(create(inAnotherSession(asPerson)))).toBe("CONFLICT");
  const rotated = await rotate(asPerson);
  expect(await codeOf(create(asPerson))).toBe("CONFLICT");
  expect(await rotate(asPerson)).toEqual(rotated);
  expect(await codeOf(rotate(inAnotherSession(asPerson)))).toBe("CONFLICT");
  await service.alerts.deleteAlertRule({ id }, asPerson);
  expect(await codeOf(rotate(asPerson))).toBe("CONFLICT");
});

test("the secret of a webhook rule is rotated with an overlap, and its deliveries are in a log of the rule", async () => {
  const workspace = newWorkspace();
  const { workspaceId, asPerson } = workspace;
  const target = await receivers.start();
  const zoneId = await service.zone(workspaceId);
  const { id, secret: before } = await makeRule(service, workspace, {
    ...{ channel: AlertChannel.WEBHOOK, channelTarget: target.url },
    condition: seenIn(zoneId),
  });
  const { alertRule, secret } = await rules.rotateAlertRuleSecret({ id, overlapSeconds: 3600 }, asPerson);
  expect(alertRule).toMatchObject({ id, rev: 2 });
  await service.publish(
    sightingEvent({
      ...{ workspaceId, sequence: 1, assetId: "ast_1", zoneId },
      change: arrived,
    }),
  );
  await eventually(() => expect(target.received).toHaveLength(1));
  expect(verifiesWith(target.received[0]!, { current: secret, previous: before })).toBe(true);
  await eventually(async () =>
    expect((await rules.listAlertRuleDeliveries({ id }, asPerson)).deliveries).toMatchObject([
      { type: "alert.raised", status: DeliveryStatus.DELIVERED },
    ]),
  );
  await eventually(() => {
    const found = service
      .auditEntries(workspaceId)
      .find(({ action }) => action === "alert_rule.secret_rotated");
    expect(found).toMatchObject({ subjectId: id, changes: { overlap_seconds: [undefined, "3600"] } });
  });
  expect(await codeOf(rules.rotateAlertRuleSecret({ id, ifRevIn: [1] }, asPerson))).toBe(
    "PRECONDITION_FAILED",
  );
  const subscription = await subscribe(service, workspace, target.url);
  expect(await codeOf(rules.listAlertRuleDeliveries({ id: subscription.id }, asPerson))).toBe("NOT_FOUND");
  await service.alerts.deleteAlertRule({ id }, asPerson);
  expect((await rules.listAlertRuleDeliveries({ id }, asPerson)).deliveries).toMatchObject([
    { type: "alert.raised", status: DeliveryStatus.DELIVERED },
  ]);
  const other = newWorkspace().asPerson;
  expect(await codeOf(rules.rotateAlertRuleSecret({ id }, other))).toBe("NOT_FOUND");
  expect(await codeOf(rules.listAlertRuleDeliveries({ id }, other))).toBe("NOT_FOUND");
});

test("a webhook that 410 has disabled is enabled again by a PATCH with enabled: true, although the rule is enabled", async () => {
  const workspace = newWorkspace();
  const { workspaceId, asPerson } = workspace;
  const answers = [410, 200];
  const target = await receivers.start((response) => void response.writeHead(answers.shift() ?? 200).end());
  const zoneId = await service.zone(workspaceId);
  const { id } = await makeRule(service, workspace, {
    ...{ channel: AlertChannel.WEBHOOK, channelTarget: target.url, cooldownSeconds: 0 },
    condition: seenIn(zoneId),
  });
  const see = () =>
    service.publish(
      sightingEvent({ workspaceId, sequence: 1, assetId: newId("ast"), zoneId, change: arrived }),
    );
  const statuses = async () =>
    (await rules.listAlertRuleDeliveries({ id }, asPerson)).deliveries.map(({ status }) => status);
  const endpoint = () => service.mongo.collection("endpoints").findOne({ workspaceId, _id: id });
  const shown = async () => (await service.alerts.getAlertRule({ id }, asPerson)).alertRule;
  expect(await shown()).toMatchObject({ enabled: true, webhookStatus: WebhookStatus.ACTIVE });
  await see();
  await eventually(async () => expect(await endpoint()).toMatchObject({ status: "disabled" }));
  expect(await shown()).toMatchObject({ enabled: true, webhookStatus: WebhookStatus.DISABLED });
  expect((await service.alerts.listAlertRules({}, asPerson)).alertRules).toMatchObject([
    { id, webhookStatus: WebhookStatus.DISABLED },
  ]);
  const { alertRule } = await service.alerts.updateAlertRule(
    { alertRule: { id, enabled: true }, updateMask: { paths: ["enabled"] } },
    asPerson,
  );
  expect(alertRule).toMatchObject({ enabled: true, rev: 1, webhookStatus: WebhookStatus.ACTIVE });
  expect(await endpoint()).toMatchObject({ status: "active", failures: 0 });
  await see();
  await eventually(async () =>
    expect((await statuses()).sort()).toEqual([DeliveryStatus.DELIVERED, DeliveryStatus.FAILED].sort()),
  );
});

test("a rule of another channel has no secret: CONFLICT", async () => {
  const workspace = newWorkspace();
  const zoneId = await service.zone(workspace.workspaceId);
  const { id } = await makeRule(service, workspace, { condition: seenIn(zoneId) });
  expect(await codeOf(rules.rotateAlertRuleSecret({ id }, workspace.asPerson))).toBe("CONFLICT");
});
