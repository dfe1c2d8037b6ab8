import { eventually } from "@asset-register/harness";
import { AlertChannel } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { WebhookStatus } from "@asset-register/proto/assetregister/notification/v1/webhook_pb";
import { type Caller, codeOf } from "@asset-register/service-harness";
import { expect, test } from "vitest";
import { makeRule, seenIn } from "../alerting.ts";
import { movementEvent } from "../events.ts";
import { startReceiver } from "../receiver.ts";
import { newWorkspace, sharedNotification, type Workspace } from "../support.ts";

const service = await sharedNotification();

/** The entries of a workspace by their action, as soon as there are so many. */
const entriesOf = ({ workspaceId }: Workspace, count: number) =>
  eventually(() => {
    const found = service.auditEntries(workspaceId);
    expect(found.length).toBeGreaterThanOrEqual(count);
    return Object.fromEntries(found.map((entry) => [entry.action, entry]));
  });

const idOf = ({ principal }: Caller) => ("id" in principal ? principal.id : undefined);

test("webhooks and alert rules have one audit entry for each change, with only the origin of a URL", async () => {
  const workspace = newWorkspace();
  const { workspaceId, asProgram, asPerson } = workspace;
  const zoneId = await service.zone(workspaceId);
  const by = { ...asProgram, requestId: "req-1", idempotencyKey: "webhook-1" };
  const url = "http://127.0.0.1:9/services/T0/s3cr3t?token=t0k3n";
  const request = { webhook: { url, events: ["*"] } };
  const made = await service.webhooks.createWebhook(request, by);
  await service.webhooks.createWebhook(request, by);
  const id = made.webhook?.id ?? "";
  await service.webhooks.deleteWebhook({ id }, asProgram);
  expect(await codeOf(service.webhooks.deleteWebhook({ id }, asProgram))).toBe("NOT_FOUND");
  const rule = await makeRule(service, workspace, {
    ...{ channel: AlertChannel.WEBHOOK, channelTarget: url, cooldownSeconds: 60 },
    condition: seenIn(zoneId),
  });

  const found = await entriesOf(workspace, 3);
  expect(service.auditEntries(workspaceId)).toHaveLength(3);
  expect(found["webhook.created"]).toMatchObject({
    ...{ subjectId: id, requestId: "req-1", actor: { kind: "api_key", id: idOf(asProgram) } },
    changes: { url: [undefined, "http://127.0.0.1:9"], events: [undefined, "*"] },
  });
  expect(found["webhook.deleted"]).toMatchObject({
    subjectId: id,
    changes: { url: ["http://127.0.0.1:9", undefined], events: ["*", undefined] },
  });
  expect(found["alert_rule.created"]).toMatchObject({
    subjectId: rule.id,
    actor: { kind: "user", id: idOf(asPerson) },
  });
  expect(found["alert_rule.created"]?.changes).toEqual({
    name: [undefined, "Gate"],
    scope: [undefined, "all"],
    condition: [undefined, `seen_in_zone ${zoneId}`],
    channel: [undefined, "webhook"],
    channel_target: [undefined, "http://127.0.0.1:9"],
    cooldown_seconds: [undefined, "60"],
  });
  for (const hidden of [made.secret, rule.secret, "s3cr3t", "t0k3n"]) {
    expect(JSON.stringify(found)).not.toContain(hidden);
  }
});

test("the audit entry of a change by an admin names the user", async () => {
  const workspace = newWorkspace();
  const { workspaceId, asAdmin } = workspace;
  const request = { webhook: { url: "http://127.0.0.1:9/hook", events: ["*"] } };
  const made = await service.webhooks.createWebhook(request, asAdmin);
  const id = made.webhook?.id ?? "";
  const disabled = { id, status: WebhookStatus.DISABLED };
  await service.webhooks.updateWebhook({ webhook: disabled, updateMask: { paths: ["status"] } }, asAdmin);
  await service.webhooks.rotateWebhookSecret({ id }, asAdmin);
  await service.webhooks.deleteWebhook({ id }, asAdmin);
  await entriesOf(workspace, 4);
  const entries = service.auditEntries(workspaceId);
  expect(entries.map(({ action }) => action).toSorted()).toEqual(
    ["created", "deleted", "secret_rotated", "updated"].map((act) => `webhook.${act}`),
  );
  const actor = { kind: "user", id: idOf(asAdmin) };
  for (const entry of entries) expect(entry).toMatchObject({ subjectId: id, actor });
  expect(JSON.stringify(entries)).not.toContain(made.secret);
});

test("a webhook that the service disables has one audit entry of the service, however many deliveries failed", async () => {
  const workspace = newWorkspace();
  const target = await startReceiver((response) => void response.writeHead(410).end());
  try {
    const { webhook } = await service.webhooks.createWebhook(
      { webhook: { url: target.url, events: ["*"] } },
      workspace.asProgram,
    );
    const movements = [1, 2, 3, 4].map((seq) => movementEvent(workspace.workspaceId, "ast_1", seq));
    await service.publish(...movements);
    const found = await entriesOf(workspace, 2);
    expect(found["webhook.disabled"]).toMatchObject({
      ...{ subjectId: webhook?.id, requestId: "", actor: { kind: "service", id: "notification" } },
      changes: { reason: [undefined, "gone"] },
    });
    await service.webhooks.deleteWebhook({ id: webhook?.id ?? "" }, workspace.asProgram);
    await entriesOf(workspace, 3);
    expect(service.auditEntries(workspace.workspaceId)).toHaveLength(3);
  } finally {
    await target.stop();
  }
});
