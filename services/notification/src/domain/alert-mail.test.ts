import { expect, test } from "vitest";
import type { Alert } from "./alert.ts";
import { alertMail, digestMail } from "./alert-mail.ts";
import type { AlertRule } from "./alert-rule.ts";

const at = new Date("2026-01-05T12:00:00.000Z");
const rule: AlertRule = {
  ...{ id: "rul_1", workspaceId: "wsp_1", name: "Tür <1>\r\nBcc: eve@example.com", scopeType: "all" },
  condition: { type: "unknown_tag" },
  channel: "email",
  channelTarget: "a@example.com,b@example.com",
  ...{ enabled: true, cooldownSeconds: 0, createdAt: at, rev: 1, version: 1 },
};
const alert: Alert = {
  ...{ id: "alr_1", workspaceId: "wsp_1", ruleId: "rul_1", status: "open", subject: "epc:30AB", count: 1 },
  ...{ firstAt: at, lastAt: at, rev: 1, order: { epoch: 0, sequence: 1 } },
};

test("the mail of an alert has one line as its subject and escaped HTML", () => {
  const mail = alertMail(rule, alert);
  expect(mail).toMatchObject({
    to: ["a@example.com", "b@example.com"],
    ruleId: "rul_1",
    workspaceId: "wsp_1",
  });
  expect(mail.subject).toBe("Alert: Tür <1> Bcc: eve@example.com");
  expect(mail.text).toContain("Subject: epc:30AB\n");
  expect(mail.html).toContain("Tür &lt;1&gt; Bcc: eve@example.com");
  expect(mail.html).not.toContain("<1>");
});

test("the mail of a digest has the number of its alerts", () => {
  const mail = digestMail(rule, { count: 33, firstAt: at, lastAt: at });
  expect(mail.subject).toMatch(/^33 more alerts: Tür/);
  expect(mail.text).toContain("Alerts: 33\n");
});
