import { connectKafka, createConsumer, subscribe } from "@asset-register/events";
import { eventually, testServers } from "@asset-register/harness";
import type { CreateAlertRuleRequestSchema } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import {
  AlertChannel,
  AlertScope,
  AlertStatus,
  type CreateAlertRuleRequest,
} from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { topics } from "@asset-register/proto/topics";
import { createMetrics, newId } from "@asset-register/runtime";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Sighting } from "../src/domain/sighting.ts";
import { applySightings } from "../src/operations/apply-sightings.ts";
import type { Read } from "./publish.ts";
import { type Receiver, startReceiver, verifies } from "./receiver.ts";
import {
  logger,
  newWorkspace,
  type RunningNotification,
  startNotification,
  type Workspace,
} from "./support.ts";

const receivers: Receiver[] = [];

let service: RunningNotification;
beforeAll(async () => {
  service = await startNotification();
});
afterAll(() => service.stop());
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()));
});

const receiver = async (): Promise<Receiver> => {
  const started = await startReceiver();
  receivers.push(started);
  return started;
};

type RuleRequest = MessageInitShape<typeof CreateAlertRuleRequestSchema>;
type ConditionCase = NonNullable<CreateAlertRuleRequest["condition"]>["condition"]["case"];

const inZone = (zoneId: string, on: Exclude<ConditionCase, "unknownTag" | undefined> = "seenInZone") => ({
  condition: { case: on, value: { zoneId } },
});

const makeRule = async (workspace: Workspace, part: RuleRequest) => {
  const request = { name: "Gate", scopeType: AlertScope.ALL, channel: AlertChannel.INAPP, ...part };
  const { alertRule, secret } = await service.alerts.createAlertRule(request, workspace.asPerson);
  return { id: alertRule?.id ?? "", rule: alertRule, secret };
};

const alertsOf = async (workspace: Workspace) =>
  (await service.alerts.listAlerts({}, workspace.asPerson)).alerts;

const seen = { case: "seen", value: {} } as const;
const arrived = { case: "arrived", value: {} } as const;
const left = (fromZoneId: string) => ({ case: "left", value: { fromZoneId } }) as const;

/** Sightings of one asset, numbered from 1. */
function asset(workspace: Workspace) {
  const assetId = newId("ast");
  let sequence = 0;
  const read = (part: Pick<Read, "change"> & Partial<Read>): Read => {
    sequence += 1;
    return { workspaceId: workspace.workspaceId, assetId, sequence, ...part };
  };
  return {
    assetId,
    read,
    see: (part: Pick<Read, "change"> & Partial<Read>) => service.sightings(read(part)),
  };
}

describe("a rule", () => {
  test("is made with what it watches, and its webhook's secret is shown once", async () => {
    const workspace = newWorkspace();
    const zoneId = await service.zone(workspace.workspaceId);
    const target = await receiver();
    const made = await makeRule(workspace, {
      name: " Gate at night ",
      condition: inZone(zoneId),
      channel: AlertChannel.WEBHOOK,
      channelTarget: target.url,
    });
    expect(made.rule).toMatchObject({
      name: "Gate at night",
      scopeType: AlertScope.ALL,
      condition: { condition: { case: "seenInZone", value: { zoneId } } },
      channelTarget: target.url,
      enabled: true,
      cooldownSeconds: 300,
      rev: 1n,
    });
    expect(made.secret).toMatch(/^whsec_/);
    const { alertRules } = await service.alerts.listAlertRules({}, workspace.asPerson);
    expect(alertRules).toEqual([made.rule]);
    expect((await service.alerts.listAlertRules({}, newWorkspace().asPerson)).alertRules).toEqual([]);
    // A rule's endpoint is no subscription.
    expect((await service.webhooks.listWebhooks({}, workspace.asProgram)).webhooks).toEqual([]);
  });

  test("may name a zone or a category whose event has not come: their owners are asked", async () => {
    const workspace = newWorkspace();
    const { workspaceId } = workspace;
    const zoneId = newId("zon");
    service.owners.zones.add(`${workspaceId}:${zoneId}`);
    const scopeId = newId("cat");
    service.owners.categories.add(`${workspaceId}:${scopeId}`);
    const part = { condition: inZone(zoneId), scopeType: AlertScope.CATEGORY, scopeId };
    expect((await makeRule(workspace, part)).id).toMatch(/^rul_/);
  });

  test("may name what its event has told, whether its owner can be asked or not", async () => {
    const workspace = newWorkspace();
    const { workspaceId } = workspace;
    const zoneId = await service.zone(workspaceId);
    service.owners.zones.delete(`${workspaceId}:${zoneId}`);
    await eventually(async () => expect(await service.store.zones.has(workspaceId, zoneId)).toBe(true));
    expect((await makeRule(workspace, { condition: inZone(zoneId) })).id).toMatch(/^rul_/);
  });

  test("names only what exists in its workspace: zone, location and asset are asked for", async () => {
    const [workspace, other] = [newWorkspace(), newWorkspace()];
    const foreign = await service.zone(other.workspaceId);
    const unknownTag = { condition: { case: "unknownTag", value: {} } } as const;
    const wrong: [RuleRequest, string][] = [
      [{ condition: inZone(foreign) }, "condition.zone_id"],
      [{ condition: unknownTag, scopeType: AlertScope.LOCATION, scopeId: "loc_1" }, "scope_id"],
      [{ condition: unknownTag, scopeType: AlertScope.ASSET, scopeId: "ast_1" }, "scope_id"],
      [{ condition: unknownTag, scopeType: AlertScope.CATEGORY, scopeId: "cat_1" }, "scope_id"],
    ];
    await Promise.all(
      wrong.map(([part, field]) =>
        expect(makeRule(workspace, part)).rejects.toMatchObject({
          kind: "not_found",
          violations: [{ field }],
        }),
      ),
    );
    service.owners.locations.add(`${workspace.workspaceId}:loc_1`);
    service.owners.assets.set(`${workspace.workspaceId}:ast_1`, {});
    await makeRule(workspace, { condition: unknownTag, scopeType: AlertScope.LOCATION, scopeId: "loc_1" });
    await makeRule(workspace, { condition: unknownTag, scopeType: AlertScope.ASSET, scopeId: "ast_1" });
  });

  test("is one of at most 100 of its workspace, also when they are made at once", async () => {
    const workspace = newWorkspace();
    const make = () => makeRule(workspace, { condition: { condition: { case: "unknownTag", value: {} } } });
    for (let index = 0; index < 97; index += 1) await make();
    const made = await Promise.allSettled(Array.from({ length: 6 }, make));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    for (const refused of made.filter((one) => one.status === "rejected")) {
      expect(refused.reason).toMatchObject({ kind: "conflict", code: "ALERT_RULE_LIMIT_REACHED" });
    }
    const { page } = await service.alerts.listAlertRules({}, workspace.asPerson);
    expect(page?.total).toBe(100n);
  });

  test("has a name of up to 200 characters, in whatever script", async () => {
    const condition = { condition: { case: "unknownTag", value: {} } } as const;
    expect((await makeRule(newWorkspace(), { condition, name: "🔔".repeat(200) })).id).toMatch(/^rul_/);
    await expect(makeRule(newWorkspace(), { condition, name: "🔔".repeat(201) })).rejects.toMatchObject({
      violations: [{ field: "name" }],
    });
  });

  test("that is incomplete is refused with every field", async () => {
    const refused = service.alerts.createAlertRule({ cooldownSeconds: 9_999_999 }, newWorkspace().asPerson);
    await expect(refused).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      violations: ["name", "scope_type", "condition", "channel", "cooldown_seconds"].map((field) => ({
        field,
      })),
    });
  });

  test("by email is refused as long as there is no mail server, a webhook only to a safe URL", async () => {
    const workspace = newWorkspace();
    const condition = { condition: { case: "unknownTag", value: {} } } as const;
    await expect(
      makeRule(workspace, { condition, channel: AlertChannel.EMAIL, channelTarget: "a@example.com" }),
    ).rejects.toMatchObject({ kind: "invalid", violations: [{ field: "channel" }] });
    await expect(
      makeRule(workspace, { condition, channel: AlertChannel.WEBHOOK, channelTarget: "http://10.0.0.1/" }),
    ).rejects.toMatchObject({ code: "WEBHOOK_URL_UNSAFE", violations: [{ field: "channel_target" }] });
  });
});

describe("an alert", () => {
  test("opens when a tag is seen in the zone, and everybody is told: rule, subscriptions, topic", async () => {
    const workspace = newWorkspace();
    const zoneId = await service.zone(workspace.workspaceId);
    const [channel, subscriber] = [await receiver(), await receiver()];
    const rule = await makeRule(workspace, {
      condition: inZone(zoneId),
      channel: AlertChannel.WEBHOOK,
      channelTarget: channel.url,
    });
    const subscription = await service.webhooks.createWebhook(
      { url: subscriber.url, events: ["alert.raised", "alert.acknowledged", "alert.resolved"] },
      workspace.asProgram,
    );
    const one = asset(workspace);
    await one.see({ change: arrived, zoneId });
    await eventually(() =>
      expect([channel, subscriber].map(({ received }) => received.length)).toEqual([1, 1]),
    );
    expect(verifies(channel.received[0]!, rule.secret)).toBe(true);
    expect(verifies(subscriber.received[0]!, subscription.secret)).toBe(true);

    const [alert] = await alertsOf(workspace);
    expect(alert).toMatchObject({
      ruleId: rule.id,
      status: AlertStatus.OPEN,
      subject: one.assetId,
      assetId: one.assetId,
      zoneId,
      readerId: "rdr_1",
      count: 1,
      rev: 1n,
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
    await eventually(async () =>
      expect(await published(id)).toEqual(["1 alert.raised", "2 alert.acknowledged", "3 alert.resolved"]),
    );
    expect(channel.received).toHaveLength(1);
  });

  test("two sightings at once open one alert, counted twice and told once", async () => {
    const workspace = newWorkspace();
    const zoneId = await service.zone(workspace.workspaceId);
    const target = await receiver();
    await makeRule(workspace, {
      condition: inZone(zoneId),
      channel: AlertChannel.WEBHOOK,
      channelTarget: target.url,
    });
    const one = asset(workspace);
    await service.sightings(one.read({ change: arrived, zoneId }), one.read({ change: seen, zoneId }));
    await eventually(async () => expect(await alertsOf(workspace)).toMatchObject([{ count: 2, rev: 1n }]));
    await eventually(() => expect(target.received).toHaveLength(1));
  });

  test("two consumers at once, while a partition moves, open one alert too", async () => {
    const workspace = newWorkspace();
    const zoneId = await service.zone(workspace.workspaceId);
    await makeRule(workspace, { condition: inZone(zoneId) });
    const assetId = newId("ast");
    const sighting = (sequence: number): Sighting => ({
      ...{ kind: "seen", epc: "E1", assetId, zoneId, at: new Date(), receivedAt: new Date() },
      order: { epoch: 0, sequence },
    });
    const parts = { ...service.store, directory: { placeOf: async () => undefined } };
    const batch = [sighting(1), sighting(2)];
    await Promise.all([1, 2, 3].map(() => applySightings(parts, workspace.workspaceId, batch)));
    expect(await alertsOf(workspace)).toMatchObject([{ count: 2, rev: 1n }]);
  });

  test("resolved by a person while its tag is read on stays one: a cooldown has no gap before it", async () => {
    const workspace = newWorkspace();
    const zoneId = await service.zone(workspace.workspaceId);
    await makeRule(workspace, { condition: inZone(zoneId) });
    const assetId = newId("ast");
    const sighting = (sequence: number): Sighting => ({
      ...{ kind: "seen", epc: "E1", assetId, zoneId, at: new Date(), receivedAt: new Date() },
      order: { epoch: 0, sequence },
    });
    const parts = { ...service.store, directory: { placeOf: async () => undefined } };
    const see = (...sequences: number[]) =>
      applySightings(parts, workspace.workspaceId, sequences.map(sighting));
    await see(1);
    const [open] = await alertsOf(workspace);
    await Promise.all([
      see(2, 3, 4, 5, 6, 7, 8),
      service.alerts.resolveAlert({ id: open?.id ?? "" }, workspace.asPerson),
    ]);
    await see(9);
    expect(await alertsOf(workspace)).toMatchObject([{ status: AlertStatus.RESOLVED, rev: 2n }]);
  });

  test("an event that comes again counts once", async () => {
    const workspace = newWorkspace();
    const zoneId = await service.zone(workspace.workspaceId);
    await makeRule(workspace, { condition: inZone(zoneId) });
    const one = asset(workspace);
    const [first, second] = [one.read({ change: arrived, zoneId }), one.read({ change: seen, zoneId })];
    await service.sightings(first, second, first, second);
    await one.see({ change: seen, zoneId });
    await eventually(async () => expect(await alertsOf(workspace)).toMatchObject([{ count: 3 }]));
  });

  test("is not opened within the cooldown after a resolution, and is after it", async () => {
    const workspace = newWorkspace();
    const zoneId = await service.zone(workspace.workspaceId);
    const patient = await makeRule(workspace, { condition: inZone(zoneId) });
    const eager = await makeRule(workspace, { condition: inZone(zoneId), cooldownSeconds: 0 });
    const one = asset(workspace);
    await one.see({ change: arrived, zoneId });
    const open = await eventually(async () => {
      const alerts = await alertsOf(workspace);
      expect(alerts).toHaveLength(2);
      return alerts;
    });
    for (const { id } of open) await service.alerts.resolveAlert({ id }, workspace.asPerson);
    await one.see({ change: seen, zoneId, receivedAt: new Date(Date.now() + 1000) });
    await eventually(async () => expect(await alertsOf(workspace)).toHaveLength(3));
    expect((await alertsOf(workspace)).map(({ ruleId }) => ruleId).sort()).toEqual(
      [patient.id, eager.id, eager.id].sort(),
    );
  });

  test("of left_zone resolves by itself when the tag returns", async () => {
    const workspace = newWorkspace();
    const zoneId = await service.zone(workspace.workspaceId);
    await makeRule(workspace, { condition: inZone(zoneId, "leftZone") });
    const one = asset(workspace);
    await one.see({ change: left(zoneId), zoneId });
    await eventually(async () =>
      expect(await alertsOf(workspace)).toMatchObject([{ status: AlertStatus.OPEN }]),
    );
    await one.see({ change: arrived, zoneId });
    await eventually(async () =>
      expect(await alertsOf(workspace)).toMatchObject([{ status: AlertStatus.RESOLVED, count: 1, rev: 2n }]),
    );
  });

  test("is not raised by reads of last week that are uploaded now", async () => {
    const workspace = newWorkspace();
    const zoneId = await service.zone(workspace.workspaceId);
    await makeRule(workspace, { condition: inZone(zoneId) });
    const [old, fresh] = [asset(workspace), asset(workspace)];
    await old.see({ change: arrived, zoneId, at: new Date(Date.now() - 601_000) });
    await fresh.see({ change: arrived, zoneId });
    await eventually(async () =>
      expect(await alertsOf(workspace)).toMatchObject([{ subject: fresh.assetId }]),
    );
  });

  test("of an unknown tag is about its epc, and leaves a notice in the app", async () => {
    const workspace = newWorkspace();
    const rule = await makeRule(workspace, { condition: { condition: { case: "unknownTag", value: {} } } });
    const { workspaceId } = workspace;
    await service.sightings({
      ...{ workspaceId, sequence: 1, epc: "303435FC8803D056D15B963F" },
      change: { case: "unknownTag", value: {} },
    });
    const [alert] = await eventually(async () => {
      const alerts = await alertsOf(workspace);
      expect(alerts).toMatchObject([{ subject: "epc:303435FC8803D056D15B963F", assetId: "" }]);
      return alerts;
    });
    const notices = service.store.mongo.collection("notices").find({ workspaceId });
    expect(await notices.toArray()).toMatchObject([{ kind: "alert", alert_id: alert?.id, rule_id: rule.id }]);
  });

  test("is scoped by the asset's place, which the register is asked for when its event has not come", async () => {
    const workspace = newWorkspace();
    const { workspaceId } = workspace;
    const zoneId = await service.zone(workspaceId);
    service.owners.locations.add(`${workspaceId}:loc_1`);
    await makeRule(workspace, {
      condition: inZone(zoneId),
      scopeType: AlertScope.LOCATION,
      scopeId: "loc_1",
    });
    const [told, asked, elsewhere] = [asset(workspace), asset(workspace), asset(workspace)];
    for (const [{ assetId }, locationId] of [
      [told, "loc_1"],
      [elsewhere, "loc_2"],
    ] as const) {
      await service.publish({
        ...{ topic: topics.asset, workspaceId, subject: assetId, sequence: 1, type: "asset.created" },
        message: { state: { id: assetId, locationId }, change: { case: "created", value: {} } },
      });
    }
    await eventually(async () =>
      expect((await service.store.assets.find(workspaceId, [told.assetId, elsewhere.assetId])).size).toBe(2),
    );
    service.owners.assets.set(`${workspaceId}:${asked.assetId}`, { locationId: "loc_1" });
    for (const one of [elsewhere, told, asked]) await one.see({ change: arrived, zoneId });
    await eventually(async () =>
      expect((await alertsOf(workspace)).map(({ subject }) => subject).sort()).toEqual(
        [told.assetId, asked.assetId].sort(),
      ),
    );
  });

  test("is acknowledged once, though two do it at once; resolved is final; foreign is not found", async () => {
    const workspace = newWorkspace();
    const zoneId = await service.zone(workspace.workspaceId);
    await makeRule(workspace, { condition: inZone(zoneId) });
    await asset(workspace).see({ change: arrived, zoneId });
    const id = await eventually(async () => {
      const [alert] = await alertsOf(workspace);
      expect(alert).toBeDefined();
      return alert?.id ?? "";
    });
    const acks = await Promise.all(
      [1, 2, 3].map(() => service.alerts.acknowledgeAlert({ id }, workspace.asPerson)),
    );
    for (const { alert } of acks) {
      expect(alert).toMatchObject({ status: AlertStatus.ACKNOWLEDGED, rev: 2n });
      expect(alert?.acknowledgedAt).toEqual(acks[0]?.alert?.acknowledgedAt);
    }
    await eventually(async () =>
      expect(await published(id)).toEqual(["1 alert.raised", "2 alert.acknowledged"]),
    );
    const foreign = service.alerts.resolveAlert({ id }, newWorkspace().asPerson);
    await expect(foreign).rejects.toMatchObject({ kind: "not_found" });
    const resolved = await service.alerts.resolveAlert({ id }, workspace.asPerson);
    expect(await service.alerts.resolveAlert({ id }, workspace.asPerson)).toEqual(resolved);
    await expect(service.alerts.acknowledgeAlert({ id }, workspace.asPerson)).rejects.toMatchObject({
      kind: "conflict",
      code: "ALERT_RESOLVED",
    });
    const list = async (status: AlertStatus) =>
      (await service.alerts.listAlerts({ status }, workspace.asPerson)).alerts.length;
    expect([await list(AlertStatus.OPEN), await list(AlertStatus.RESOLVED)]).toEqual([0, 1]);
  });
});

/** What stands on the alert topic about an alert, as another service would read it. */
async function published(alertId: string): Promise<string[]> {
  const found: string[] = [];
  const kafka = connectKafka({
    brokers: testServers().kafkaBrokers,
    clientId: "reader",
    topicPrefix: service.prefix,
    logger,
  });
  const consumer = createConsumer({
    kafka,
    group: newId("grp"),
    mongo: service.store.mongo,
    logger,
    metrics: createMetrics({ service: "reader" }),
    subscriptions: [
      subscribe(topics.alert, {
        handle: async (events) => {
          for (const { subject, sequence, type, message } of events) {
            if (subject === alertId && message?.state?.id === alertId) found.push(`${sequence} ${type}`);
          }
        },
      }),
    ],
  });
  await consumer.start();
  try {
    await eventually(async () => expect(await consumer.caughtUp()).toBe(true));
    return found;
  } finally {
    await consumer.stop();
  }
}
