import { eventually } from "@asset-register/harness";
import { startMailServer } from "@asset-register/mail/test";
import { AlertChannel, AlertScope } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { AlertRuleReceiverService } from "@asset-register/proto/assetregister/notification/v1/alert_rule_receiver_pb";
import { DeliveryStatus } from "@asset-register/proto/assetregister/notification/v1/webhook_pb";
import { newId } from "@asset-register/runtime";
import { codeOf, failure } from "@asset-register/service-harness";
import { afterAll, expect, test } from "vitest";
import { alertsOf, arrived, hasStatus, makeRule, seenIn, taggedAsset, unknownTag } from "../alerting.ts";
import { readerEvent } from "../events.ts";
import { newWorkspace, startNotification, type Workspace } from "../support.ts";

// Mail through a real SMTP server.

const server = await startMailServer();
const mail = { SMTP_URL: server.url, MAIL_FROM: "alerts@example.com" };
const service = await startNotification({}, { ...mail, PUBLIC_URL: "https://assets.example.com/" });
const receivers = service.client(AlertRuleReceiverService);
afterAll(async () => {
  await service.stop();
  await server.stop();
});

async function mailedZone(channelTarget: string, fields: { name?: string } = {}) {
  const workspace = newWorkspace();
  const zoneId = await service.zone(workspace.workspaceId);
  const channel = AlertChannel.EMAIL;
  const rule = await makeRule(service, workspace, {
    condition: seenIn(zoneId),
    channel,
    channelTarget,
    ...fields,
  });
  const see = async () => {
    const asset = taggedAsset(service, workspace);
    await asset.see({ change: arrived, zoneId });
    return asset.assetId;
  };
  return { workspace, rule, see };
}

type Row = { _id: string; workspaceId: string; to: string[]; status: string };
const mailRows = ({ workspaceId }: Workspace) =>
  service.mongo.collection<Row>("mails").find({ workspaceId }).toArray();

test("an alert is mailed to each address by itself, as text and as escaped HTML, with the name of the rule in any script", async () => {
  const target = "ada@example.com, grace@bücher.example";
  const { rule, see, workspace } = await mailedZone(target, { name: "Tür <Süd> 門" });
  expect(rule.rule?.channelTarget).toBe("ada@example.com,grace@xn--bcher-kva.example");
  const assetId = await see();
  const mails = await eventually(() => {
    const found = server.received.filter(({ text }) => text?.includes(assetId));
    expect(found).toHaveLength(2);
    return found;
  });
  // The test server shows domains in Unicode.
  expect(mails.map(({ recipients }) => recipients).sort()).toEqual([
    ["ada@example.com"],
    ["grace@bücher.example"],
  ]);
  const [mail] = mails;
  expect(mail?.from).toBe("alerts@example.com");
  expect(mail?.subject).toBe("Alert: Tür <Süd> 門");
  expect(mail?.html).toContain("Tür &lt;Süd&gt; 門");
  const rows = await eventually(async () => {
    const found = await mailRows(workspace);
    expect(found).toMatchObject([
      { status: "delivered", attempts: 1 },
      { status: "delivered", attempts: 1 },
    ]);
    return found;
  });
  expect(mails.map(({ messageId }) => messageId).sort()).toEqual(
    rows.map(({ _id }) => `<${_id}@example.com>`).sort(),
  );
});

test("an address that the server refuses keeps no mail from the others, and is in the log of the rule, also after its deletion", async () => {
  const { rule, see, workspace } = await mailedZone("gone@example.com,works@example.com");
  server.answer("gone@example.com", 550);
  const assetId = await see();
  expect((await eventually(() => server.mailOf(assetId))).recipients).toEqual(["works@example.com"]);
  const read = async () =>
    (await receivers.listAlertRuleDeliveries({ id: rule.id }, workspace.asPerson)).deliveries
      .toSorted((a, b) => (a.recipient! < b.recipient! ? -1 : 1))
      .map(({ recipient, status, type, attempts, lastResponseStatus, lastError }) => ({
        ...{ recipient, status, type, attempts, lastResponseStatus, lastError },
      }));
  const expected = [
    {
      ...{ recipient: "gone@example.com", status: DeliveryStatus.FAILED, type: "alert.raised", attempts: 1 },
      ...{ lastResponseStatus: 550, lastError: expect.stringContaining("550") },
    },
    {
      ...{ recipient: "works@example.com", status: DeliveryStatus.DELIVERED, type: "alert.raised" },
      ...{ attempts: 1, lastResponseStatus: undefined, lastError: undefined },
    },
  ];
  await eventually(async () => expect(await read()).toEqual(expected));
  const first = await receivers.listAlertRuleDeliveries(
    { id: rule.id, page: { limit: 1 } },
    workspace.asPerson,
  );
  expect(first.page).toMatchObject({ total: 2, nextCursor: expect.any(String) });

  await service.alerts.deleteAlertRule({ id: rule.id }, workspace.asPerson);
  expect(await read()).toEqual(expected);
  expect(await alertsOf(service, workspace)).toMatchObject([{ ruleId: rule.id }]);
  const stranger = newWorkspace().asPerson;
  expect(await codeOf(receivers.listAlertRuleDeliveries({ id: rule.id }, stranger))).toBe("NOT_FOUND");
});

test("a mail has the number and names of asset, zone, reader and status, and a link; while register is unavailable it has the ids", async () => {
  const workspace = newWorkspace();
  const { workspaceId } = workspace;
  const { owners } = service;
  const zoneId = await service.zone(workspaceId);
  await service.publish(readerEvent(workspaceId, { id: "rdr_1", name: "North portal" }));
  await eventually(async () => {
    expect(await service.stores.zones.namesOf(workspaceId, [zoneId])).toEqual(new Map([[zoneId, "Gate"]]));
    expect((await service.stores.readers.namesOf(workspaceId, ["rdr_1"])).size).toBe(1);
  });
  owners.statuses.add(workspaceId, "sta_lost");
  const lost = await makeRule(service, workspace, {
    ...{ condition: hasStatus("sta_lost"), channel: AlertChannel.EMAIL, channelTarget: "l@example.com" },
  });
  const seen = await makeRule(service, workspace, {
    ...{ condition: seenIn(zoneId), channel: AlertChannel.EMAIL, channelTarget: "s@example.com" },
  });
  const asset = taggedAsset(service, workspace);
  const fields = { number: "A-7", name: "Drill", statusId: "sta_lost" };
  owners.assets.set(`${workspaceId}:${asset.assetId}`, fields);
  await asset.see({ change: arrived, zoneId });
  const mails = await eventually(() => {
    const found = server.received.filter(({ text }) => text?.includes(asset.assetId));
    expect(found).toHaveLength(2);
    return found;
  });
  const alerts = await alertsOf(service, workspace);
  for (const [ruleId, to, condition] of [
    [lost.id, "l@example.com", "seen with status Name of sta_lost (sta_lost)"],
    [seen.id, "s@example.com", `seen in zone Gate (${zoneId})`],
  ]) {
    const text = mails.find(({ recipients }) => recipients[0] === to)?.text ?? "";
    expect(text).toContain(`Condition: ${condition}\nSubject: A-7 Drill (${asset.assetId})\n`);
    expect(text).toContain(`Zone: Gate (${zoneId})\nReader: North portal (rdr_1)\n`);
    const alertId = alerts.find((alert) => alert.ruleId === ruleId)?.id;
    expect(text).toContain(`\nhttps://assets.example.com/app/alerts/${alertId}\n`);
  }

  owners.register.answers = false;
  await service.alerts.deleteAlertRule({ id: lost.id }, workspace.asPerson);
  const other = taggedAsset(service, workspace);
  await other.see({ change: arrived, zoneId });
  const mail = await eventually(() => server.mailOf(other.assetId));
  owners.register.answers = true;
  expect(mail.text).toContain(`Subject: ${other.assetId}\nZone: Gate (${zoneId})\n`);
});

test("a mail of the release before, to several addresses, becomes a mail for each", async () => {
  const workspace = newWorkspace();
  const { mongo, stores } = service.context;
  const text = { subject: "Alert: Old", text: "Old alert\n", html: "<p>Old alert</p>" };
  const to = ["old-a@example.com", "old-b@example.com", "old-c@example.com"];
  server.answer("old-b@example.com", 550);
  await mongo.transaction({}, (session) =>
    stores.mails.add(workspace.workspaceId, [{ ruleId: newId("rul"), to, ...text }], session),
  );
  await eventually(async () =>
    expect((await mailRows(workspace)).map((row) => [row.to[0], row.status]).sort()).toEqual([
      ["old-a@example.com", "delivered"],
      ["old-b@example.com", "failed"],
      ["old-c@example.com", "delivered"],
    ]),
  );
  const received = server.received.filter((mail) => mail.subject === "Alert: Old");
  expect(received.flatMap(({ recipients }) => recipients).sort()).toEqual([
    "old-a@example.com",
    "old-c@example.com",
  ]);
});

test("a mail server that fails for some time gets the mail later, with the same id; a 5xx is final", async () => {
  const waits = await mailedZone("busy@example.com");
  server.answer("busy@example.com", 451);
  const assetId = await waits.see();
  await eventually(async () =>
    expect(await mailRows(waits.workspace)).toMatchObject([
      { status: "pending", lastError: expect.stringContaining("451") },
    ]),
  );
  server.answer("busy@example.com", 250);
  const mail = await eventually(() => server.mailOf(assetId));
  const rows = await mailRows(waits.workspace);
  expect(mail.messageId).toBe(`<${rows[0]?._id}@example.com>`);
  await eventually(async () =>
    expect(await mailRows(waits.workspace)).toMatchObject([{ status: "delivered" }]),
  );

  const refused = await mailedZone("nobody@example.com");
  server.answer("nobody@example.com", 550);
  await refused.see();
  await eventually(async () =>
    expect(await mailRows(refused.workspace)).toMatchObject([
      { status: "failed", attempts: 1, lastError: expect.stringContaining("550") },
    ]),
  );
});

test("a mail that waits fails when its rule is disabled", async () => {
  const { rule, see, workspace } = await mailedZone("slow@example.com");
  server.answer("slow@example.com", 451);
  await see();
  await eventually(async () =>
    expect(await mailRows(workspace)).toMatchObject([
      { status: "pending", lastError: expect.stringContaining("451") },
    ]),
  );
  await service.alerts.updateAlertRule(
    { alertRule: { id: rule.id, enabled: false }, updateMask: { paths: ["enabled"] } },
    workspace.asPerson,
  );
  expect(await mailRows(workspace)).toMatchObject([{ status: "failed", lastError: "the rule is disabled" }]);
});

test("line ends and wrong addresses are refused with the field; so are more than 10", async () => {
  const workspace = newWorkspace();
  const wrong = [
    "ada@example.com\r\nBcc: eve@example.com",
    "ada",
    "Ada <ada@example.com>",
    "ädа@example.com",
    "ada@localhost",
    Array.from({ length: 11 }, (_, index) => `u${index}@example.com`).join(","),
  ];
  for (const channelTarget of wrong) {
    const fields = { condition: unknownTag, channel: AlertChannel.EMAIL, channelTarget };
    expect(await failure(makeRule(service, workspace, fields)), channelTarget).toMatchObject({
      code: "VALIDATION_FAILED",
      violations: [{ field: "channel_target" }],
    });
  }
});

test("a name with a line end is refused, since it would be the subject of a mail", async () => {
  const fields = { condition: unknownTag, scopeType: AlertScope.ALL, name: "Gate\r\nBcc: eve@example.com" };
  expect(await failure(makeRule(service, newWorkspace(), fields))).toMatchObject({
    code: "VALIDATION_FAILED",
    violations: [{ field: "name" }],
  });
});
