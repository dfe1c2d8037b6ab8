import { eventually } from "@asset-register/harness";
import { AlertChannel, AlertScope } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { newId } from "@asset-register/runtime";
import { failure } from "@asset-register/service-harness";
import { expect, test } from "vitest";
import {
  hasStatus,
  makeRule,
  offlineFor,
  type RuleFields,
  seenIn,
  silentFor,
  unknownTag,
} from "../alerting.ts";
import { zoneEvent } from "../events.ts";
import { newWorkspace, sharedNotification, type Workspace } from "../support.ts";

const service = await sharedNotification();

const make = (workspace: Workspace, fields: RuleFields) => makeRule(service, workspace, fields);

test("a new rule has its fields and the default cooldown, and shows the secret of its webhook once", async () => {
  const workspace = newWorkspace();
  const zoneId = await service.zone(workspace.workspaceId);
  const channelTarget = "http://127.0.0.1:9/hook";
  const made = await make(workspace, {
    name: " Gate at night ",
    condition: seenIn(zoneId),
    channel: AlertChannel.WEBHOOK,
    channelTarget,
  });
  expect(made.rule).toMatchObject({
    name: "Gate at night",
    scopeType: AlertScope.ALL,
    condition: { condition: { case: "seenInZone", value: { zoneId } } },
    channelTarget,
    enabled: true,
    cooldownSeconds: 300,
    rev: 1,
  });
  expect(made.secret).toMatch(/^whsec_/);
  const { alertRules } = await service.alerts.listAlertRules({}, workspace.asPerson);
  expect(alertRules).toEqual([made.rule]);
  expect((await service.alerts.listAlertRules({}, newWorkspace().asPerson)).alertRules).toEqual([]);
  // The endpoint of a rule is no subscription.
  expect((await service.webhooks.listWebhooks({}, workspace.asProgram)).webhooks).toEqual([]);
});

test("a rule may refer to a zone and a category that are not projected yet: their owners are asked", async () => {
  const workspace = newWorkspace();
  const { workspaceId } = workspace;
  const zoneId = service.owners.zones.add(workspaceId, newId("zon"));
  const scopeId = service.owners.categories.add(workspaceId, newId("cat"));
  const fields = { condition: seenIn(zoneId), scopeType: AlertScope.CATEGORY, scopeId };
  expect((await make(workspace, fields)).id).toMatch(/^rul_/);
});

test("a rule may refer to a projected zone without asking its owner", async () => {
  const workspace = newWorkspace();
  const { workspaceId } = workspace;
  const zoneId = newId("zon");
  await service.publish(zoneEvent(workspaceId, zoneId));
  await eventually(async () => expect(await service.stores.zones.has(workspaceId, zoneId)).toBe(true));
  expect((await make(workspace, { condition: seenIn(zoneId) })).id).toMatch(/^rul_/);
});

test("a rule that refers to a record which its workspace does not have: NOT_FOUND with the field", async () => {
  const [workspace, other] = [newWorkspace(), newWorkspace()];
  const foreign = await service.zone(other.workspaceId);
  service.owners.statuses.add(workspace.workspaceId, "sta_mine");
  service.owners.statuses.add(other.workspaceId, "sta_theirs");
  const wrong: [RuleFields, string][] = [
    [{ condition: seenIn(foreign) }, "condition.zone_id"],
    [{ condition: hasStatus("sta_mine", "sta_none") }, "condition.status_ids.1"],
    [{ condition: hasStatus("sta_theirs") }, "condition.status_ids.0"],
    [{ condition: unknownTag, scopeType: AlertScope.LOCATION, scopeId: "loc_1" }, "scope_id"],
    [{ condition: silentFor(1), scopeType: AlertScope.ASSET, scopeId: "ast_1" }, "scope_id"],
    [{ condition: silentFor(1), scopeType: AlertScope.CATEGORY, scopeId: "cat_1" }, "scope_id"],
  ];
  for (const [fields, field] of wrong) {
    const violations = [{ field }];
    expect(await failure(make(workspace, fields))).toMatchObject({ kind: "not_found", violations });
  }
  service.owners.locations.add(workspace.workspaceId, "loc_1");
  service.owners.assets.set(`${workspace.workspaceId}:ast_1`, {});
  await make(workspace, { condition: unknownTag, scopeType: AlertScope.LOCATION, scopeId: "loc_1" });
  await make(workspace, { condition: silentFor(1), scopeType: AlertScope.ASSET, scopeId: "ast_1" });
});

test("concurrent creations at the limit: a workspace gets 100 rules, the others ALERT_RULE_LIMIT_REACHED", async () => {
  const workspace = newWorkspace();
  for (let index = 0; index < 97; index += 1) await make(workspace, { condition: unknownTag });
  const failures = await Promise.all(
    Array.from({ length: 6 }, () => failure(make(workspace, { condition: unknownTag }))),
  );
  expect(failures.filter((error) => error === undefined)).toHaveLength(3);
  for (const error of failures.filter((one) => one !== undefined)) {
    expect(error).toMatchObject({ kind: "conflict", code: "ALERT_RULE_LIMIT_REACHED" });
  }
  const { page } = await service.alerts.listAlertRules({}, workspace.asPerson);
  expect(page?.total).toBe(100);
});

test("a name may have 200 characters of any script", async () => {
  const condition = unknownTag;
  expect((await make(newWorkspace(), { condition, name: "🔔".repeat(200) })).id).toMatch(/^rul_/);
  expect(await failure(make(newWorkspace(), { condition, name: "🔔".repeat(201) }))).toMatchObject({
    violations: [{ field: "name" }],
  });
});

test("a rule without its fields is refused with each missing field", async () => {
  const alertRule = { cooldownSeconds: 9_999_999 };
  expect(await failure(service.alerts.createAlertRule({ alertRule }, newWorkspace().asPerson))).toMatchObject(
    {
      code: "VALIDATION_FAILED",
      violations: ["name", "scope_type", "condition", "channel", "cooldown_seconds"].map((field) => ({
        field,
      })),
    },
  );
});

test("a scope or a webhook without its target is refused with the field", async () => {
  const workspace = newWorkspace();
  const wrong: [RuleFields, string][] = [
    [{ condition: silentFor(1), scopeType: AlertScope.ASSET }, "scope_id"],
    // They could never fire: an unknown tag and a reader are no asset and have no category.
    [{ condition: unknownTag, scopeType: AlertScope.ASSET, scopeId: "ast_1" }, "scope_type"],
    [{ condition: unknownTag, scopeType: AlertScope.CATEGORY, scopeId: "cat_1" }, "scope_type"],
    [{ condition: offlineFor(5), scopeType: AlertScope.ASSET, scopeId: "ast_1" }, "scope_type"],
    [{ condition: offlineFor(5), scopeType: AlertScope.CATEGORY, scopeId: "cat_1" }, "scope_type"],
    [{ condition: unknownTag, channel: AlertChannel.WEBHOOK }, "channel_target"],
    [{ condition: unknownTag, channelTarget: "https://hooks.example.com/" }, "channel_target"],
    [{ condition: unknownTag, scopeType: AlertScope.ALL, scopeId: "loc_1" }, "scope_id"],
    [{ condition: seenIn("") }, "condition.zone_id"],
  ];
  for (const [fields, field] of wrong) {
    expect(await failure(make(workspace, fields))).toMatchObject({
      code: "VALIDATION_FAILED",
      violations: [{ field }],
    });
  }
});

test("a rule from before unknown_tag was refused for an asset can be renamed and disabled; its scope can't stay in a change of scope", async () => {
  const workspace = newWorkspace();
  const { id } = await make(workspace, { condition: unknownTag });
  type Row = { _id: string; workspaceId: string; scopeType: string; scopeId: string };
  await service.mongo
    .collection<Row>("alert_rules")
    .updateOne(
      { workspaceId: workspace.workspaceId, _id: id },
      { $set: { scopeType: "asset", scopeId: "ast_1" } },
    );
  const update = (paths: string[], fields: RuleFields) =>
    service.alerts.updateAlertRule(
      { alertRule: { id, ...fields }, updateMask: { paths } },
      workspace.asPerson,
    );
  expect(await update(["name", "enabled"], { name: "Old", enabled: false })).toMatchObject({
    alertRule: { name: "Old", enabled: false },
  });
  expect(await failure(update(["scope_id"], { scopeId: "ast_2" }))).toMatchObject({
    violations: [{ field: "scope_type" }],
  });
  await update(["scope_type"], { scopeType: AlertScope.ALL });
});

test("the channel email is refused while there is no mail server, and webhook with an unsafe URL", async () => {
  const workspace = newWorkspace();
  const condition = unknownTag;
  const email = { condition, channel: AlertChannel.EMAIL, channelTarget: "a@example.com" };
  expect(await failure(make(workspace, email))).toMatchObject({
    kind: "invalid",
    violations: [{ field: "channel" }],
  });
  const webhook = { condition, channel: AlertChannel.WEBHOOK, channelTarget: "http://10.0.0.1/" };
  expect(await failure(make(workspace, webhook))).toMatchObject({
    code: "WEBHOOK_URL_UNSAFE",
    violations: [{ field: "channel_target" }],
  });
});
