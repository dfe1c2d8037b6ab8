import { connectKafka, createDeadLetters } from "@asset-register/events";
import { eventually, testServers } from "@asset-register/harness";
import type { WorkspaceStatus } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import {
  AlertChannel,
  AlertScope,
  AlertStatus,
} from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import type { IssuedToType, StatusClass } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { topics } from "@asset-register/proto/topics";
import { newId } from "@asset-register/runtime";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Receiver, startReceiver } from "./receiver.ts";
import { logger, newWorkspace, type RunningNotification, startNotification } from "./support.ts";

// A change that only a newer release knows arrives without its case, an enum's value as a number.

const UNKNOWN = 4711;
const unknownChange = { case: undefined };

let service: RunningNotification;
let receiver: Receiver;
beforeAll(async () => {
  service = await startNotification();
  receiver = await startReceiver();
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});
afterEach(async () => {
  const kafka = connectKafka({
    ...{ brokers: testServers().kafkaBrokers, clientId: "test", topicPrefix: service.prefix, logger },
  });
  expect(await createDeadLetters(kafka).list()).toEqual([]);
});

test("projections take the state of a change that they do not know", async () => {
  const { workspaceId } = newWorkspace();
  const common = { workspaceId, sequence: 1, type: "thing.teleported" };
  const { store, publish } = service;
  await publish({
    ...{ ...common, topic: topics.workspace, subject: workspaceId },
    message: { state: { id: workspaceId, status: UNKNOWN as WorkspaceStatus }, change: unknownChange },
  });
  await publish({
    ...{ ...common, topic: topics.zone, subject: "zon_1" },
    message: { state: { id: "zon_1" }, change: unknownChange },
  });
  const category = { case: "category" as const, value: { name: "Tools" } };
  await publish(
    // A record of a collection that this release does not know, and one that it does.
    {
      ...{ ...common, topic: topics.organisation, subject: "xyz_1" },
      message: { state: { id: "xyz_1" }, change: unknownChange },
    },
    {
      ...{ ...common, topic: topics.organisation, subject: "cat_1" },
      message: { state: { id: "cat_1", record: category }, change: unknownChange },
    },
  );
  await publish({
    ...{ ...common, topic: topics.asset, subject: "ast_1" },
    message: {
      state: { id: "ast_1", locationId: "loc_1" },
      statusClass: UNKNOWN as StatusClass,
      change: unknownChange,
    },
  });
  await eventually(async () => {
    expect(await store.zones.has(workspaceId, "zon_1")).toBe(true);
    expect(await store.categories.has(workspaceId, "cat_1")).toBe(true);
    expect(await store.assets.find(workspaceId, ["ast_1"])).toMatchObject(
      new Map([["ast_1", { locationId: "loc_1" }]]),
    );
    const row = { workspaceId, _id: workspaceId };
    expect(await store.mongo.collection("workspaces").findOne(row)).toMatchObject({ disabled: false });
  });
  expect(await store.categories.has(workspaceId, "xyz_1")).toBe(false);
});

test("messages are made of known changes only, also with values that are not known", async () => {
  const workspace = newWorkspace();
  const { workspaceId } = workspace;
  await service.webhooks.createWebhook({ url: receiver.url, events: ["*"] }, workspace.asProgram);
  const checkout = { topic: topics.checkout, workspaceId, subject: "ast_1", type: "checkout.teleported" };
  const state = { id: "chk_1", assetId: "ast_1", issuedToType: UNKNOWN as IssuedToType };
  await service.publish({ ...service.movement(workspaceId, "ast_1", 1), message: { change: unknownChange } });
  await service.publish(
    { ...checkout, sequence: 1, message: { state, change: unknownChange } },
    { ...checkout, sequence: 2, message: { state, change: { case: "created", value: {} } } },
  );
  await service.publish(service.movement(workspaceId, "ast_1", 2));
  const seen = () => receiver.received.map(({ body }) => `${body.type} ${body.data.seq}`).sort();
  await eventually(() => expect(seen()).toEqual(["asset.moved 2", "checkout.created 2"]));
  const created = receiver.received.find(({ body }) => body.type === "checkout.created");
  expect(created?.body.data).toMatchObject({ issued_to: { type: "unknown" } });
});

test("a sighting of an unknown kind raises nothing, and the next one does", async () => {
  const workspace = newWorkspace();
  const { workspaceId } = workspace;
  const zoneId = await service.zone(workspaceId);
  const condition = { condition: { case: "seenInZone" as const, value: { zoneId } } };
  const rule = { name: "Gate", scopeType: AlertScope.ALL, channel: AlertChannel.INAPP, condition };
  await service.alerts.createAlertRule(rule, workspace.asPerson);
  const assetId = newId("ast");
  await service.sightings(
    { workspaceId, assetId, sequence: 1, zoneId, change: unknownChange },
    { workspaceId, assetId, sequence: 2, zoneId, change: { case: "seen", value: {} } },
  );
  await eventually(async () => {
    const { alerts } = await service.alerts.listAlerts({}, workspace.asPerson);
    expect(alerts).toMatchObject([{ subject: assetId, status: AlertStatus.OPEN, count: 1 }]);
  });
});

test("a workspace that is forgotten stays stopped", async () => {
  const { workspaceId } = newWorkspace();
  const common = { topic: topics.workspace, workspaceId, subject: workspaceId, type: "workspace.deleted" };
  await service.publish(
    { ...common, sequence: 1, message: { state: { id: workspaceId }, change: unknownChange } },
    { ...common, sequence: 2, message: undefined },
  );
  await eventually(async () => expect(await service.store.workspaces.isDisabled(workspaceId)).toBe(true));
});
