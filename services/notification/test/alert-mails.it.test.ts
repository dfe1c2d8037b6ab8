import { eventually } from "@asset-register/harness";
import { startMailServer } from "@asset-register/mail/test";
import { AlertChannel, AlertScope } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { failure } from "@asset-register/service-harness";
import { afterAll, expect, test } from "vitest";
import { arrived, makeRule, seenIn, taggedAsset, unknownTag } from "./alerting.ts";
import { newWorkspace, startNotification, type Workspace } from "./support.ts";

// Mail through a real SMTP server.

const server = await startMailServer();
const service = await startNotification({}, { SMTP_URL: server.url, MAIL_FROM: "alerts@example.com" });
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

const mailRows = ({ workspaceId }: Workspace) =>
  service.mongo.collection("mails").find({ workspaceId }).toArray();

test("an alert is mailed to all addresses, as text and as escaped HTML, with the name of the rule in any script", async () => {
  const target = "ada@example.com, grace@bücher.example";
  const { rule, see, workspace } = await mailedZone(target, { name: "Tür <Süd> 門" });
  expect(rule.rule?.channelTarget).toBe("ada@example.com,grace@xn--bcher-kva.example");
  const assetId = await see();
  const mail = await eventually(() => server.mailOf(assetId));
  // The test server shows domains in Unicode.
  expect(mail.recipients).toEqual(["ada@example.com", "grace@bücher.example"]);
  expect(mail.from).toBe("alerts@example.com");
  expect(mail.subject).toBe("Alert: Tür <Süd> 門");
  expect(mail.html).toContain("Tür &lt;Süd&gt; 門");
  const [row] = await eventually(async () => {
    const rows = await mailRows(workspace);
    expect(rows).toMatchObject([{ status: "delivered", attempts: 1 }]);
    return rows;
  });
  expect(mail.messageId).toBe(`<${row?._id}@example.com>`);
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
