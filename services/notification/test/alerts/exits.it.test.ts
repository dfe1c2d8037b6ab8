import { eventually } from "@asset-register/harness";
import { AlertScope, AlertStatus } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { newId } from "@asset-register/runtime";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterEach, expect, test } from "vitest";
import { alertsOf, arrived, exitsBy, hasStatus, makeRule, seen, seenIn, taggedAsset } from "../alerting.ts";
import { assetEvent, zoneEvent } from "../events.ts";
import { newWorkspace, sharedNotification, type Workspace } from "../support.ts";

// Cases that need the register: exits, statuses, and assets that are not projected yet.

const service = await sharedNotification();
afterEach(() => {
  service.owners.register.answers = true;
});

const minutesAgo = (count: number) => timestampFromDate(new Date(Date.now() - count * 60_000));

/** A workspace with a zone that is an exit, and its rule. */
async function exitZone() {
  const workspace = newWorkspace();
  const { workspaceId } = workspace;
  const zoneId = service.owners.zones.add(workspaceId, newId("zon"));
  await service.publish(zoneEvent(workspaceId, zoneId, ["loc_gate"]));
  await eventually(async () => expect(await service.stores.zones.has(workspaceId, zoneId)).toBe(true));
  const rule = await makeRule(service, workspace, { condition: exitsBy(zoneId), cooldownSeconds: 0 });
  return { workspace, zoneId, rule };
}

const subjects = async (workspace: Workspace) =>
  (await alertsOf(service, workspace)).map(({ subject }) => subject).sort();

const waiting = ({ workspaceId }: Workspace) =>
  service.mongo.collection("waiting_sightings").countDocuments({ workspaceId });

test("an exit that no checkout and no movement covers raises an alert; the register is asked once for a batch", async () => {
  const { workspace, zoneId } = await exitZone();
  const { workspaceId } = workspace;
  const [bare, out, moved, moving, byRead] = [1, 2, 3, 4, 5].map(() => taggedAsset(service, workspace));
  const { positions } = service.owners;
  const key = (asset?: { assetId: string }) => `${workspaceId}:${asset?.assetId}`;
  positions.set(key(out), { checkouts: [{ issuedAt: minutesAgo(600) }] });
  const to = (toLocationId: string, reason: string) => ({
    movements: [{ at: minutesAgo(5), toLocationId, reason }],
  });
  positions.set(key(moved), to("loc_other", "transfer"));
  positions.set(key(moving), to("loc_gate", "transfer"));
  positions.set(key(byRead), to("loc_other", "rfid"));
  service.owners.register.asked.length = 0;
  const all = [bare, out, moved, moving, byRead].flatMap((asset) => asset ?? []);
  await service.publish(...all.map((asset) => asset.read({ change: arrived, zoneId })));
  const expected = [bare, moving, byRead].map((asset) => asset?.assetId ?? "").sort();
  await eventually(async () => expect(await subjects(workspace)).toEqual(expected));
  const ids = all.map(({ assetId }) => assetId).sort();
  await eventually(() => expect(service.owners.register.asked.flat().sort()).toEqual(ids));
});

test("register unavailable: an exit alert comes late, once, and other rules and workspaces do not wait", async () => {
  const [exit, other] = [await exitZone(), await exitZone()];
  const { workspace, zoneId } = exit;
  await makeRule(service, workspace, { condition: seenIn(zoneId) });
  await makeRule(service, other.workspace, { condition: seenIn(other.zoneId) });
  const [leaving, covered] = [taggedAsset(service, workspace), taggedAsset(service, workspace)];
  service.owners.register.answers = false;
  await leaving.see({ change: arrived, zoneId });
  await covered.see({ change: arrived, zoneId });
  const elsewhere = taggedAsset(service, other.workspace);
  await elsewhere.see({ change: arrived, zoneId: other.zoneId });
  // The rules that do not need the register fire at once.
  await eventually(async () => {
    expect(await subjects(workspace)).toEqual([leaving.assetId, covered.assetId].sort());
    expect(await subjects(other.workspace)).toEqual([elsewhere.assetId]);
    expect([await waiting(workspace), await waiting(other.workspace)]).toEqual([2, 1]);
  });
  // A later sighting queues behind, and a repeat of the first one waits once.
  await leaving.see({ change: arrived, zoneId });
  await eventually(async () => expect(await waiting(workspace)).toBe(3));
  const key = `${workspace.workspaceId}:${covered.assetId}`;
  service.owners.positions.set(key, { checkouts: [{ issuedAt: minutesAgo(1) }] });
  service.owners.register.answers = true;
  await eventually(async () => {
    expect([await waiting(workspace), await waiting(other.workspace)]).toEqual([0, 0]);
    const exits = await service.alerts.listAlerts({ ruleId: exit.rule.id }, workspace.asPerson);
    expect(exits.alerts).toMatchObject([{ subject: leaving.assetId, count: 2, status: AlertStatus.OPEN }]);
  });
  const late = await service.alerts.listAlerts({ ruleId: other.rule.id }, other.workspace.asPerson);
  expect(late.alerts).toMatchObject([{ subject: elsewhere.assetId, count: 1 }]);
});

test("what waits for a rule is dropped when the rule is disabled or deleted", async () => {
  const [disabled, deleted] = [await exitZone(), await exitZone()];
  service.owners.register.answers = false;
  for (const { workspace, zoneId } of [disabled, deleted]) {
    await taggedAsset(service, workspace).see({ change: arrived, zoneId });
    await eventually(async () => expect(await waiting(workspace)).toBe(1));
  }
  const alertRule = { id: disabled.rule.id, enabled: false };
  const { asPerson } = disabled.workspace;
  await service.alerts.updateAlertRule({ alertRule, updateMask: { paths: ["enabled"] } }, asPerson);
  await service.alerts.deleteAlertRule({ id: deleted.rule.id }, deleted.workspace.asPerson);
  expect([await waiting(disabled.workspace), await waiting(deleted.workspace)]).toEqual([0, 0]);
  service.owners.register.answers = true;
  expect([await subjects(disabled.workspace), await subjects(deleted.workspace)]).toEqual([[], []]);
});

test("status_mismatch fires when an asset is read with one of the statuses, as the projection or the register has it", async () => {
  const workspace = newWorkspace();
  const { workspaceId } = workspace;
  service.owners.statuses.add(workspaceId, "sta_lost");
  const rule = await makeRule(service, workspace, { condition: hasStatus("sta_lost") });
  const [lost, found, asked] = [1, 2, 3].map(() => taggedAsset(service, workspace));
  await service.publish(
    assetEvent(workspaceId, { id: lost!.assetId, statusId: "sta_lost" }),
    assetEvent(workspaceId, { id: found!.assetId, statusId: "sta_stock" }),
  );
  const ids = [lost!.assetId, found!.assetId];
  await eventually(async () => expect((await service.stores.assets.getMany(workspaceId, ids)).size).toBe(2));
  service.owners.assets.set(`${workspaceId}:${asked!.assetId}`, { statusId: "sta_lost" });
  await service.publish(
    ...[lost, found, asked].map((asset) => asset!.read({ change: seen, zoneId: "zon_1" })),
  );
  await eventually(async () =>
    expect(await subjects(workspace)).toEqual([lost!.assetId, asked!.assetId].sort()),
  );
  expect((await alertsOf(service, workspace))[0]).toMatchObject({ ruleId: rule.id, ruleName: "Gate" });
});

test("an asset that nobody can ask about waits for a rule that needs its place, and is judged later", async () => {
  const workspace = newWorkspace();
  const { workspaceId } = workspace;
  const zoneId = await service.zone(workspaceId);
  const scopeId = service.owners.locations.add(workspaceId, "loc_home");
  const scope = { scopeType: AlertScope.LOCATION, scopeId };
  await makeRule(service, workspace, { condition: seenIn(zoneId), ...scope });
  const asset = taggedAsset(service, workspace);
  service.owners.register.answers = false;
  await asset.see({ change: arrived, zoneId });
  await eventually(async () => expect(await waiting(workspace)).toBe(1));
  await service.publish(assetEvent(workspaceId, { id: asset.assetId, locationId: "loc_home" }));
  await eventually(async () => expect(await subjects(workspace)).toEqual([asset.assetId]));
});
