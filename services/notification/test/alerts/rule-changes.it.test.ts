import { eventually } from "@asset-register/harness";
import {
  AlertChannel,
  AlertScope,
  AlertStatus,
  Weekday,
} from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { codeOf, failure } from "@asset-register/service-harness";
import { expect, test } from "vitest";
import { applySightings } from "../../src/operations/judging/apply-sightings.ts";
import {
  alertsOf,
  arrived,
  hasStatus,
  makeRule,
  offlineFor,
  type RuleFields,
  seen,
  seenIn,
  sightingsIn,
  silentFor,
  taggedAsset,
  unknownTag,
} from "../alerting.ts";
import { startReceiver } from "../receiver.ts";
import { newWorkspace, sharedNotification, type Workspace } from "../support.ts";

const service = await sharedNotification();

const update = async (workspace: Workspace, fields: RuleFields, ifRevIn: number[] = []) => {
  const paths = Object.keys(fields)
    .filter((name) => name !== "id")
    .map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  const request = { alertRule: fields, updateMask: { paths }, ifRevIn };
  return (await service.alerts.updateAlertRule(request, workspace.asPerson)).alertRule;
};

/** A workspace with a zone, a rule for it and an open alert. */
async function firing(fields: { channel?: AlertChannel; channelTarget?: string } = {}) {
  const workspace = newWorkspace();
  const zoneId = await service.zone(workspace.workspaceId);
  const rule = await makeRule(service, workspace, { condition: seenIn(zoneId), ...fields });
  const asset = taggedAsset(service, workspace);
  await asset.see({ change: arrived, zoneId });
  await eventually(async () => expect(await alertsOf(service, workspace)).toHaveLength(1));
  return { workspace, zoneId, rule, asset };
}

test("each condition is stored and read as it was sent", async () => {
  const workspace = newWorkspace();
  for (const id of ["sta_1", "sta_2"]) service.owners.statuses.add(workspace.workspaceId, id);
  const value = { openDays: [Weekday.MON, Weekday.SUN], openFrom: "08:00", openTo: "02:30" };
  const conditions: RuleFields["condition"][] = [
    { condition: { case: "afterHours", value } },
    hasStatus("sta_1", "sta_2"),
    silentFor(0.25),
    offlineFor(15),
  ];
  for (const condition of conditions) {
    const { id, rule } = await makeRule(service, workspace, { condition });
    expect(rule?.condition).toMatchObject(condition!);
    const read = await service.alerts.getAlertRule({ id }, workspace.asPerson);
    expect(read.alertRule).toEqual(rule);
  }
});

test("a condition outside of its limits is refused with the field", async () => {
  const hours = (openFrom: string, openTo: string, openDays = [Weekday.MON]) =>
    ({ condition: { case: "afterHours", value: { openDays, openFrom, openTo } } }) as const;
  const wrong: [RuleFields, string][] = [
    [{ condition: hours("08:00", "08:00") }, "condition.open_to"],
    [{ condition: hours("24:00", "08:00") }, "condition.open_from"],
    [{ condition: hours("08:00", "09:00", []) }, "condition.open_days"],
    [{ condition: hasStatus() }, "condition.status_ids"],
    [{ condition: silentFor(0.001) }, "condition.hours"],
    [{ condition: silentFor(8761) }, "condition.hours"],
    [{ condition: offlineFor(0) }, "condition.minutes"],
    [{ condition: offlineFor(10), scopeType: AlertScope.CATEGORY, scopeId: "cat_1" }, "scope_type"],
    [{ condition: offlineFor(10), scopeType: AlertScope.ASSET, scopeId: "ast_1" }, "scope_type"],
  ];
  for (const [fields, field] of wrong) {
    expect(await failure(makeRule(service, newWorkspace(), fields)), field).toMatchObject({
      code: "VALIDATION_FAILED",
      violations: [{ field }],
    });
  }
});

test("a rule can be made disabled: it raises nothing until it is enabled, and again nothing after it is disabled", async () => {
  const workspace = newWorkspace();
  const zoneId = await service.zone(workspace.workspaceId);
  const alertRule = {
    ...{ name: "Gate", scopeType: AlertScope.ALL, channel: AlertChannel.INAPP, condition: seenIn(zoneId) },
  };
  const request = { alertRule, disabled: true };
  const created = (await service.alerts.createAlertRule(request, workspace.asPerson)).alertRule;
  expect(created).toMatchObject({ enabled: false, rev: 1 });
  const id = created?.id ?? "";
  const witness = await makeRule(service, workspace, { condition: seenIn(zoneId) });
  const ruleIds = async () => (await alertsOf(service, workspace)).map(({ ruleId }) => ruleId);
  const see = (change: typeof seen | typeof arrived) =>
    taggedAsset(service, workspace).see({ change, zoneId });
  await see(arrived);
  await eventually(async () => expect(await ruleIds()).toEqual([witness.id]));
  expect(await update(workspace, { id, enabled: true })).toMatchObject({ enabled: true, rev: 2 });
  await see(arrived);
  await eventually(async () => expect((await ruleIds()).sort()).toEqual([witness.id, witness.id, id].sort()));
  await update(workspace, { id, enabled: false });
  await see(arrived);
  await eventually(async () => expect(await ruleIds()).toHaveLength(4));
  // The open alerts stay.
  expect((await alertsOf(service, workspace)).map(({ status }) => status)).toEqual(
    Array.from({ length: 4 }, () => AlertStatus.OPEN),
  );
});

test("another name or cooldown keeps the open alerts, another condition or scope resolves them by the user", async () => {
  const { workspace, rule, zoneId } = await firing();
  const { id } = rule;
  expect(await update(workspace, { id, name: "Door", cooldownSeconds: 10 })).toMatchObject({
    ...{ name: "Door", cooldownSeconds: 10, rev: 2 },
  });
  // A change without effect raises no rev.
  expect(await update(workspace, { id, name: "Door" })).toMatchObject({ rev: 2 });
  expect(await alertsOf(service, workspace)).toMatchObject([{ status: AlertStatus.OPEN, ruleName: "Gate" }]);
  expect(await update(workspace, { id, scopeType: AlertScope.ZONE, scopeId: zoneId })).toMatchObject({
    ...{ scopeType: AlertScope.ZONE, scopeId: zoneId, rev: 3 },
  });
  const { principal } = workspace.asPerson;
  const userId = "id" in principal ? principal.id : "";
  const [alert] = await alertsOf(service, workspace);
  expect(alert).toMatchObject({ status: AlertStatus.RESOLVED, rev: 2, resolvedBy: { id: userId } });
  await eventually(() =>
    expect(service.recorded.alert.of(alert?.id ?? "").map(({ type }) => type)).toEqual([
      "alert.raised",
      "alert.resolved",
    ]),
  );
  // The scope all has no id.
  expect((await update(workspace, { id, scopeType: AlertScope.ALL }))?.scopeId).toBeUndefined();
});

test("a deleted rule is gone, its alerts are resolved and readable, and it raises nothing more", async () => {
  const { workspace, rule, zoneId, asset } = await firing();
  const remove = (ifRevIn: number[] = []) =>
    codeOf(service.alerts.deleteAlertRule({ id: rule.id, ifRevIn }, workspace.asPerson));
  expect(await codeOf(service.alerts.deleteAlertRule({ id: rule.id }, newWorkspace().asPerson))).toBe(
    "NOT_FOUND",
  );
  expect(await remove([7])).toBe("PRECONDITION_FAILED");
  expect((await Promise.all([remove([1]), remove([1])])).sort()).toEqual(["NOT_FOUND", undefined]);
  expect(await codeOf(service.alerts.getAlertRule({ id: rule.id }, workspace.asPerson))).toBe("NOT_FOUND");
  const [alert] = await alertsOf(service, workspace);
  const read = await service.alerts.getAlert({ id: alert?.id ?? "" }, workspace.asPerson);
  expect(read.alert).toMatchObject({ status: AlertStatus.RESOLVED, ruleId: rule.id });
  const witness = await makeRule(service, workspace, { condition: seenIn(zoneId) });
  await asset.see({ change: seen, zoneId });
  await eventually(async () =>
    expect((await alertsOf(service, workspace)).map(({ ruleId }) => ruleId)).toEqual([rule.id, witness.id]),
  );
});

test("a rule that is deleted while its alerts are raised leaves no open alert", async () => {
  const workspace = newWorkspace();
  const { workspaceId } = workspace;
  const zoneId = await service.zone(workspaceId);
  const { id } = await makeRule(service, workspace, { condition: seenIn(zoneId) });
  const sightings = sightingsIn(zoneId, 300);
  await Promise.all([
    applySightings(service.context, workspaceId, sightings),
    service.alerts.deleteAlertRule({ id }, workspace.asPerson),
  ]);
  await eventually(async () => {
    const { page } = await service.alerts.listAlerts({ status: AlertStatus.OPEN }, workspace.asPerson);
    expect(page?.total).toBe(0);
  });
});

test("a webhook rule posts to its new URL after a change, and an unsafe one is refused", async () => {
  const [old, fresh] = [await startReceiver(), await startReceiver()];
  const hook = { channel: AlertChannel.WEBHOOK, channelTarget: old.url };
  const { workspace, rule, zoneId } = await firing(hook);
  await eventually(() => expect(old.received).toHaveLength(1));
  expect(await codeOf(update(workspace, { id: rule.id, channelTarget: "http://10.0.0.1/" }))).toBe(
    "WEBHOOK_URL_UNSAFE",
  );
  expect(await update(workspace, { id: rule.id, channelTarget: fresh.url })).toMatchObject({ rev: 2 });
  await taggedAsset(service, workspace).see({ change: arrived, zoneId });
  await eventually(() => expect(fresh.received).toHaveLength(1));
  expect(old.received).toHaveLength(1);
  await Promise.all([old.stop(), fresh.stop()]);
});

test("a change that is repeated with its Idempotency-Key has the first answer", async () => {
  const workspace = newWorkspace();
  const { id } = await makeRule(service, workspace, { condition: unknownTag });
  const keyed = { ...workspace.asPerson, idempotencyKey: "rename" };
  const request = { alertRule: { id, name: "Renamed" }, updateMask: { paths: ["name"] } };
  const first = await service.alerts.updateAlertRule(request, keyed);
  expect(first.alertRule).toMatchObject({ id, name: "Renamed", rev: 2 });
  expect(await service.alerts.updateAlertRule(request, keyed)).toEqual(first);
});

test("a change is audited, with both values; an unknown field, a foreign rule and another rev are refused", async () => {
  const workspace = newWorkspace();
  const { id } = await makeRule(service, workspace, { condition: unknownTag });
  await update(workspace, { id, enabled: false, name: "Off" });
  await service.alerts.deleteAlertRule({ id }, workspace.asPerson);
  const actions = await eventually(() => {
    const found = service.auditEntries(workspace.workspaceId);
    expect(found).toHaveLength(3);
    return found.map(({ action, changes }) => [action, changes.name]);
  });
  expect(actions).toEqual([
    ["alert_rule.created", [undefined, "Gate"]],
    ["alert_rule.updated", ["Gate", "Off"]],
    ["alert_rule.deleted", ["Off", undefined]],
  ]);
  const other = await makeRule(service, workspace, { condition: unknownTag });
  const changed = { id: other.id, name: "B" };
  expect(await codeOf(update(newWorkspace(), changed))).toBe("NOT_FOUND");
  expect(await codeOf(update(workspace, changed, [4]))).toBe("PRECONDITION_FAILED");
  const request = { alertRule: { id: other.id }, updateMask: { paths: ["channel"] } };
  expect(await failure(service.alerts.updateAlertRule(request, workspace.asPerson))).toMatchObject({
    violations: [{ field: "channel" }],
  });
  expect(await failure(update(workspace, { id: other.id, condition: seenIn("zon_none") }))).toMatchObject({
    kind: "not_found",
    violations: [{ field: "condition.zone_id" }],
  });
});
