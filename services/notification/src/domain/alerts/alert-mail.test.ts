import { expect, test } from "vitest";
import type { AlertRule } from "../alert-rules/alert-rule.ts";
import type { Alert } from "./alert.ts";
import { alertMail, digestMail } from "./alert-mail.ts";

const at = new Date("2026-01-05T12:00:00.000Z");
const rule: AlertRule = {
  ...{ id: "rul_1", workspaceId: "wsp_1", name: "Tür <1>\r\nBcc: eve@example.com", scopeType: "all" },
  condition: { type: "left_zone", zoneId: "zon_1" },
  channel: "email",
  channelTarget: "a@example.com,b@example.com",
  ...{ enabled: true, cooldownSeconds: 0, createdAt: at, rev: 1, version: 1 },
};
const alert: Alert = {
  ...{ id: "alr_1", workspaceId: "wsp_1", ruleId: "rul_1", status: "open", subject: "ast_1", count: 1 },
  ...{ assetId: "ast_1", zoneId: "zon_2", readerId: "rdr_1", firstAt: at, lastAt: at, rev: 1 },
  order: { epoch: 0, sequence: 1 },
};
const unnamed = { names: new Map<string, string>(), publicUrl: undefined };
const names = new Map([
  ["ast_1", "A-7 <Drill>\r\nBcc: eve@example.com"],
  ["zon_1", "Store"],
  ["zon_2", "Dock 3"],
  ["rdr_1", "Portal"],
]);

test("the mail of an alert has one line as its subject and escaped HTML", () => {
  const mail = alertMail(rule, alert, { ...unnamed, names });
  expect(mail.subject).toBe("Alert: Tür <1> Bcc: eve@example.com");
  expect(mail.text).not.toMatch(/^Bcc/m);
  expect(mail.html).toContain("Tür &lt;1&gt; Bcc: eve@example.com");
  expect(mail.html).toContain("A-7 &lt;Drill&gt;");
  expect(mail.html).not.toMatch(/<(1|Drill)>/);
});

test("the mail of an alert has the number and the names of its records with their ids, and a link", () => {
  const { text, html } = alertMail(rule, alert, { names, publicUrl: "https://assets.example.com" });
  expect(text.split("\n")).toEqual([
    "Rule: Tür <1> Bcc: eve@example.com",
    "Condition: left zone Store (zon_1)",
    "Subject: A-7 <Drill> Bcc: eve@example.com (ast_1)",
    "Zone: Dock 3 (zon_2)",
    "Reader: Portal (rdr_1)",
    "First seen: 2026-01-05T12:00:00.000Z",
    "Alert: alr_1",
    "https://assets.example.com/app/alerts/alr_1",
    "",
  ]);
  expect(html).toContain('<a href="https://assets.example.com/app/alerts/alr_1">');
});

test("without names a mail has the ids, and without the address of the platform no link", () => {
  const { text, html } = alertMail(rule, alert, unnamed);
  expect(text).toContain("Subject: ast_1\nZone: zon_2\nReader: rdr_1\n");
  expect(`${text}${html}`).not.toContain("http");
});

test("the mail of a digest has the number of its alerts, and names the first subjects", () => {
  const alerts = Array.from({ length: 30 }, (_, n) => ({ subject: n === 0 ? "ast_1" : `ast_${n + 1}` }));
  const content = { count: 33, firstAt: at, lastAt: at };
  const mail = digestMail(rule, content, alerts, {
    names: new Map([["ast_1", "A-7 Drill"]]),
    publicUrl: "https://x.org",
  });
  expect(mail.subject).toMatch(/^33 more alerts: Tür/);
  expect(mail.text).toContain("Alerts: 33\n");
  expect(mail.text).toContain("Subjects: A-7 Drill (ast_1); ast_2; ");
  expect(mail.text).toContain("; ast_20; 13 more\n");
  expect(mail.text).toContain("https://x.org/app/alerts?rule_id=rul_1\n");
});
