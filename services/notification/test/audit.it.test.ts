import { eventually } from "@asset-register/harness";
import { recordActs, startNeighbours } from "@asset-register/neighbours";
import { AlertChannel, AlertScope } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startReceiver } from "./receiver.ts";
import { newWorkspace, type RunningNotification, startNotification, type Workspace } from "./support.ts";

let service: RunningNotification;
let neighbours: Awaited<ReturnType<typeof startNeighbours>>;
const acts = recordActs();

beforeAll(async () => {
  service = await startNotification();
  neighbours = await startNeighbours({ prefix: service.prefix, subscriptions: [acts.subscription] });
});
afterAll(async () => {
  await neighbours.close();
  await service.stop();
});

const told = (workspace: Workspace, count: number) =>
  eventually(() => {
    const found = acts.of(workspace.workspaceId);
    expect(found.length).toBeGreaterThanOrEqual(count);
    return Object.fromEntries(found.map((act) => [act.action, act]));
  });

test("webhooks and alert rules are told to the audit log once, of their URLs the origin alone", async () => {
  const workspace = newWorkspace();
  const { workspaceId, asProgram, asPerson } = workspace;
  const zoneId = await service.zone(workspaceId);
  const by = { ...asProgram, requestId: "req-1", idempotencyKey: "webhook-1" };
  const request = { url: "http://127.0.0.1:9/services/T0/s3cr3t?token=t0k3n", events: ["*"] };
  const made = await service.webhooks.createWebhook(request, by);
  await service.webhooks.createWebhook(request, by);
  const id = made.webhook?.id ?? "";
  await service.webhooks.deleteWebhook({ id }, asProgram);
  await expect(service.webhooks.deleteWebhook({ id }, asProgram)).rejects.toMatchObject({
    kind: "not_found",
  });
  const { alertRule, secret } = await service.alerts.createAlertRule(
    {
      ...{ name: "Gate", scopeType: AlertScope.ALL, channel: AlertChannel.WEBHOOK, cooldownSeconds: 60 },
      condition: { condition: { case: "seenInZone", value: { zoneId } } },
      channelTarget: request.url,
    },
    asPerson,
  );

  const found = await told(workspace, 3);
  expect(acts.of(workspaceId)).toHaveLength(3);
  expect(found["webhook.created"]).toMatchObject({
    ...{ subjectId: id, requestId: "req-1", actor: { kind: "api_key", id: asProgram.principal.id } },
    changes: { url: [undefined, "http://127.0.0.1:9"], events: [undefined, "*"] },
  });
  expect(found["webhook.deleted"]).toMatchObject({
    subjectId: id,
    changes: { url: ["http://127.0.0.1:9", undefined], events: ["*", undefined] },
  });
  expect(found["alert_rule.created"]).toMatchObject({
    subjectId: alertRule?.id,
    actor: { kind: "user", id: asPerson.principal.id },
  });
  expect(found["alert_rule.created"]?.changes).toEqual({
    name: [undefined, "Gate"],
    scope: [undefined, "all"],
    condition: [undefined, `seen_in_zone ${zoneId}`],
    channel: [undefined, "webhook"],
    channel_target: [undefined, "http://127.0.0.1:9"],
    cooldown_seconds: [undefined, "60"],
  });
  for (const hidden of [made.secret, secret, "s3cr3t", "t0k3n"]) {
    expect(JSON.stringify(found)).not.toContain(hidden);
  }
});

test("a webhook that the service turns off is the service's act, once for many deliveries", async () => {
  const workspace = newWorkspace();
  const target = await startReceiver((response) => void response.writeHead(410).end());
  try {
    const { webhook } = await service.webhooks.createWebhook(
      { url: target.url, events: ["*"] },
      workspace.asProgram,
    );
    const moves = [1, 2, 3, 4].map((seq) => service.movement(workspace.workspaceId, "ast_1", seq));
    await service.publish(...moves);
    const found = await told(workspace, 2);
    expect(found["webhook.disabled"]).toMatchObject({
      ...{ subjectId: webhook?.id, requestId: "", actor: { kind: "service", id: "notification" } },
      changes: { reason: [undefined, "gone"] },
    });
    await service.webhooks.deleteWebhook({ id: webhook?.id ?? "" }, workspace.asProgram);
    await told(workspace, 3);
    expect(acts.of(workspace.workspaceId)).toHaveLength(3);
  } finally {
    await target.stop();
  }
});
