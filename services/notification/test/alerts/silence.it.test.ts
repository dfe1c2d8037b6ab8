import { eventually } from "@asset-register/harness";
import { AlertScope, AlertStatus } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { ReaderKind, ReaderStatus } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { newId } from "@asset-register/runtime";
import { workspaceEvent } from "@asset-register/service-harness";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  alertsOf,
  arrived,
  makeRule,
  movableClock,
  offlineFor,
  type RuleFields,
  seen,
  silentFor,
  taggedAsset,
} from "../alerting.ts";
import { assetEvent, livenessEvent, readerEvent } from "../events.ts";
import { newWorkspace, startNotification, type Workspace } from "../support.ts";

// Rules that fire when nothing happens. Two processes run, of which one sweeps.

const clock = movableClock();
const service = await startNotification({ now: clock.now });
beforeAll(() => service.start());
afterAll(() => service.stop());

const MINUTE = 60_000;

async function workspaceWith(fields: RuleFields) {
  const workspace = newWorkspace();
  await service.publish(workspaceEvent(workspace.workspaceId, 1, { timeZone: "UTC" }));
  await eventually(async () =>
    expect(await service.stores.firstReadings.get(workspace.workspaceId)).toMatchObject({ done: true }),
  );
  return { workspace, rule: await makeRule(service, workspace, fields) };
}

/** An asset that is projected and was read a moment ago. */
async function seenAsset(workspace: Workspace, fields: { at?: Date; zoneId?: string } = {}) {
  const { workspaceId } = workspace;
  const asset = taggedAsset(service, workspace);
  await service.publish(assetEvent(workspaceId, { id: asset.assetId }));
  await asset.see({ change: arrived, at: clock.now(), receivedAt: clock.now(), ...fields });
  await eventually(async () => {
    const [row] = (await service.stores.lastSightings.getMany(workspaceId, [asset.assetId])).values();
    if (!row) throw new Error("not kept yet");
    expect((await service.stores.assets.getMany(workspaceId, [asset.assetId])).size).toBe(1);
  });
  return { ...asset, again: () => asset.see({ change: seen, at: clock.now(), receivedAt: clock.now() }) };
}

const subjects = async (workspace: Workspace) =>
  (await alertsOf(service, workspace)).map(({ subject, status }) => [subject, status]);

test("not_seen_for: an asset that is silent for longer than the limit raises one alert, and a sighting ends it; then it fires again after the cooldown", async () => {
  const { workspace, rule } = await workspaceWith({ condition: silentFor(0.5), cooldownSeconds: 3000 });
  const [silent, disposed] = [await seenAsset(workspace), await seenAsset(workspace)];
  const gone = { id: disposed.assetId, disposed: { date: "2026-01-31" } };
  await service.publish(assetEvent(workspace.workspaceId, gone, 2));
  await eventually(async () => {
    const found = await service.stores.assets.getMany(workspace.workspaceId, [disposed.assetId]);
    expect(found.get(disposed.assetId)?.gone).toBe(true);
  });
  const swept = () => service.stores.ruleSweeps.get(workspace.workspaceId, rule.id);
  const sweptAfter = (time: Date) =>
    eventually(async () => expect((await swept())?.sweptAt.getTime()).toBeGreaterThan(time.getTime()));
  clock.forward(30 * MINUTE);
  await sweptAfter(clock.now());
  // Silence is reported after 30 min and 70 s.
  expect(await subjects(workspace)).toEqual([]);
  clock.forward(2 * MINUTE);
  await eventually(async () =>
    expect(await subjects(workspace)).toEqual([[silent.assetId, AlertStatus.OPEN]]),
  );
  await silent.again();
  await eventually(async () =>
    expect(await alertsOf(service, workspace)).toMatchObject([
      { status: AlertStatus.RESOLVED, count: 1, rev: 2, resolvedBy: { id: "notification" } },
    ]),
  );
  // It is silent again during the cooldown of 50 min. The alert comes when that is over.
  clock.forward(40 * MINUTE);
  await sweptAfter(clock.now());
  expect(await subjects(workspace)).toHaveLength(1);
  clock.forward(11 * MINUTE);
  await eventually(async () =>
    expect(await subjects(workspace)).toEqual([
      [silent.assetId, AlertStatus.RESOLVED],
      [silent.assetId, AlertStatus.OPEN],
    ]),
  );
  await eventually(() =>
    expect(service.recorded.alert.events.map(({ type }) => type)).toContain("alert.raised"),
  );
});

test("not_seen_for: a rule that is made later fires for what is silent already, in its scope only", async () => {
  const { workspace } = await workspaceWith({ condition: silentFor(8760) });
  const zoneId = await service.zone(workspace.workspaceId);
  const [inside, outside] = [await seenAsset(workspace, { zoneId }), await seenAsset(workspace)];
  clock.forward(10 * MINUTE);
  const scope = { scopeType: AlertScope.ZONE, scopeId: zoneId };
  const rule = await makeRule(service, workspace, { condition: silentFor(0.05), ...scope });
  await eventually(async () =>
    expect(await alertsOf(service, workspace)).toMatchObject([{ subject: inside.assetId, ruleId: rule.id }]),
  );
  // An alert that a user resolved is not raised again before the asset was seen.
  const [alert] = await alertsOf(service, workspace);
  await service.alerts.resolveAlert({ id: alert?.id ?? "" }, workspace.asPerson);
  clock.forward(20 * MINUTE);
  const scopeId = registered(workspace, outside.assetId);
  await makeRule(service, workspace, { condition: silentFor(0.05), scopeType: AlertScope.ASSET, scopeId });
  await eventually(async () => expect(await alertsOf(service, workspace)).toHaveLength(2));
  expect(
    (await alertsOf(service, workspace)).filter(({ subject }) => subject === inside.assetId),
  ).toHaveLength(1);
});

/** An asset that the register has. */
function registered({ workspaceId }: Workspace, assetId: string): string {
  service.owners.assets.set(`${workspaceId}:${assetId}`, {});
  return assetId;
}

test("reader_offline: a portal that is not heard raises one alert, and its next sign of life ends it; a phone and a revoked reader raise none", async () => {
  const { workspace } = await workspaceWith({ condition: offlineFor(5), cooldownSeconds: 0 });
  const { workspaceId } = workspace;
  const [portal, phone, revoked, silent] = ["", "", "", ""].map(() => newId("rdr"));
  const heard = (id = "") => livenessEvent(workspaceId, id, clock.now());
  await service.publish(
    readerEvent(workspaceId, { id: portal! }),
    readerEvent(workspaceId, { id: phone!, kind: ReaderKind.PHONE }),
    readerEvent(workspaceId, { id: revoked!, status: ReaderStatus.REVOKED }),
    readerEvent(workspaceId, { id: silent! }),
  );
  await service.publish(heard(portal), heard(phone), heard(revoked));
  const states = service.mongo.collection("reader_states");
  await eventually(async () => {
    expect(await states.countDocuments({ workspaceId, lastSeenAt: { $exists: true } })).toBe(3);
    expect(await states.countDocuments({ workspaceId, kind: { $exists: true } })).toBe(4);
  });
  clock.forward(7 * MINUTE);
  await eventually(async () =>
    expect(await alertsOf(service, workspace)).toMatchObject([
      { subject: portal, readerId: portal, status: AlertStatus.OPEN, count: 1 },
    ]),
  );
  await service.publish(heard(portal));
  await eventually(async () => expect(await subjects(workspace)).toEqual([[portal, AlertStatus.RESOLVED]]));
  clock.forward(7 * MINUTE);
  await eventually(async () => expect(await subjects(workspace)).toHaveLength(2));
});

test("reader_offline: a rule for a zone watches its handhelds too, and readers with an antenna there", async () => {
  const workspace = newWorkspace();
  const { workspaceId } = workspace;
  const zoneId = await service.zone(workspaceId);
  const [id, door] = [newId("rdr"), newId("rdr")];
  const lastSeenAt = timestampFromDate(clock.now());
  const antennas = [{ antenna: 1, name: "Inside", zoneId }];
  await service.publish(
    readerEvent(workspaceId, { id, kind: ReaderKind.HANDHELD_SLED, zoneId, lastSeenAt }),
    readerEvent(workspaceId, { id: door, antennas, lastSeenAt }),
    readerEvent(workspaceId, { id: newId("rdr"), lastSeenAt }),
  );
  const scope = { scopeType: AlertScope.ZONE, scopeId: zoneId };
  await makeRule(service, workspace, { condition: offlineFor(1), ...scope });
  clock.forward(3 * MINUTE);
  await eventually(async () =>
    expect((await subjects(workspace)).sort()).toEqual(
      [id, door].sort().map((one) => [one, AlertStatus.OPEN]),
    ),
  );
  expect(await alertsOf(service, workspace)).toContainEqual(expect.objectContaining({ subject: id, zoneId }));
});

test("a new database reads the last sightings of the register page by page, also those that the topic does not have any more", async () => {
  const workspace = newWorkspace();
  const { workspaceId } = workspace;
  const monthsAgo = timestampFromDate(new Date(Date.now() - 90 * 86_400_000));
  const assetIds = [1, 2, 3, 4, 5].map(() => newId("ast")).sort();
  service.owners.seen.set(
    workspaceId,
    assetIds.map((assetId) => ({ assetId, lastSeen: { at: monthsAgo, readerId: "rdr_1", zoneId: "zon_1" } })),
  );
  for (const id of assetIds) registered(workspace, id);
  // Its topics of sightings and liveness are empty. The compacted topic still has the reader.
  const id = newId("rdr");
  await service.publish(workspaceEvent(workspaceId, 1, { timeZone: "UTC" }));
  await service.publish(readerEvent(workspaceId, { id, lastSeenAt: monthsAgo }));
  await makeRule(service, workspace, { condition: silentFor(24) });
  await makeRule(service, workspace, { condition: offlineFor(60) });
  await eventually(async () =>
    expect((await alertsOf(service, workspace)).map(({ subject }) => subject).sort()).toEqual(
      [...assetIds, id].sort(),
    ),
  );
});
