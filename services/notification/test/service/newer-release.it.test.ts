import { eventually } from "@asset-register/harness";
import type { WorkspaceStatus } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { AlertStatus } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import type { IssuedToType, StatusClass } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { topics } from "@asset-register/proto/topics";
import { afterAll, afterEach, expect, test } from "vitest";
import { alertsOf, makeRule, seen, seenIn, taggedAsset } from "../alerting.ts";
import { movementEvent } from "../events.ts";
import { startReceiver } from "../receiver.ts";
import { newWorkspace, startNotification } from "../support.ts";

// A change that only a newer release knows arrives without its case, the value of an enum as a number.

const UNKNOWN = 4711;
const unknownChange = { case: undefined };

const service = await startNotification();
const receiver = await startReceiver();
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});
afterEach(async () => {
  expect(await service.deadLetters.list()).toEqual([]);
});

test("projections take the state of an event whose change they do not know", async () => {
  const { workspaceId } = newWorkspace();
  const common = { workspaceId, sequence: 1, type: "thing.teleported" };
  const { stores, publish } = service;
  await publish({
    ...{ ...common, topic: topics.workspace, subject: workspaceId },
    message: { state: { id: workspaceId, status: UNKNOWN as WorkspaceStatus }, change: unknownChange },
  });
  await publish({
    ...{ ...common, topic: topics.zone, subject: "zon_1" },
    message: { state: { id: "zon_1" }, change: unknownChange },
  });
  await publish(
    // A record of a kind that this release does not know, and a category.
    {
      ...{ ...common, topic: topics.organisation, subject: "xyz_1" },
      message: { state: { id: "xyz_1", kind: UNKNOWN as OrganisationKind }, change: unknownChange },
    },
    {
      ...{ ...common, topic: topics.organisation, subject: "cat_1" },
      message: { state: { id: "cat_1", kind: OrganisationKind.CATEGORY }, change: unknownChange },
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
    expect(await stores.zones.has(workspaceId, "zon_1")).toBe(true);
    expect(await stores.categories.has(workspaceId, "cat_1")).toBe(true);
    expect(await stores.assets.getMany(workspaceId, ["ast_1"])).toMatchObject(
      new Map([["ast_1", { locationId: "loc_1" }]]),
    );
    const row = { workspaceId, _id: workspaceId };
    expect(await service.mongo.collection("workspaces").findOne(row)).toMatchObject({ disabled: false });
  });
  expect(await stores.categories.has(workspaceId, "xyz_1")).toBe(false);
});

test("messages are made only of known changes, also of those with an unknown value", async () => {
  const workspace = newWorkspace();
  const { workspaceId } = workspace;
  const webhook = { url: receiver.url, events: ["*"] };
  await service.webhooks.createWebhook({ webhook }, workspace.asProgram);
  const checkout = { topic: topics.checkout, workspaceId, subject: "ast_1", type: "checkout.teleported" };
  const state = { id: "chk_1", assetId: "ast_1", issuedToType: UNKNOWN as IssuedToType };
  await service.publish({ ...movementEvent(workspaceId, "ast_1", 1), message: { change: unknownChange } });
  await service.publish(
    { ...checkout, sequence: 1, message: { state, change: unknownChange } },
    { ...checkout, sequence: 2, message: { state, change: { case: "created", value: {} } } },
  );
  await service.publish(movementEvent(workspaceId, "ast_1", 2));
  const seen = () => receiver.received.map(({ body }) => `${body.type} ${body.data.seq}`).sort();
  await eventually(() => expect(seen()).toEqual(["asset.moved 2", "checkout.created 2"]));
  const created = receiver.received.find(({ body }) => body.type === "checkout.created");
  expect(created?.body.data).toMatchObject({ issued_to: { type: "unknown" } });
});

test("a sighting of an unknown kind raises no alert, and the next sighting does", async () => {
  const workspace = newWorkspace();
  const zoneId = await service.zone(workspace.workspaceId);
  await makeRule(service, workspace, { condition: seenIn(zoneId) });
  const { assetId, read } = taggedAsset(service, workspace);
  await service.publish(read({ zoneId, change: unknownChange }), read({ zoneId, change: seen }));
  await eventually(async () =>
    expect(await alertsOf(service, workspace)).toMatchObject([
      { subject: assetId, status: AlertStatus.OPEN, count: 1 },
    ]),
  );
});

test("a workspace whose state is removed stays disabled", async () => {
  const { workspaceId } = newWorkspace();
  const common = { topic: topics.workspace, workspaceId, subject: workspaceId, type: "workspace.deleted" };
  await service.publish(
    { ...common, sequence: 1, message: { state: { id: workspaceId }, change: unknownChange } },
    { ...common, sequence: 2, message: undefined },
  );
  await eventually(async () => expect(await service.stores.workspaces.isDisabled(workspaceId)).toBe(true));
});
