import { escapeHtml, oneLine } from "@asset-register/runtime";
import type { Alert } from "./alert.ts";
import type { AlertRule } from "./alert-rule.ts";
import { conditionText } from "./condition.ts";

/** What a mail says. Its texts hold what users wrote, so the HTML is escaped and the subject is one line. */
export type MailContent = {
  workspaceId: string;
  ruleId: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
};

type Row = [name: string, value: string];

/** Many alerts of a rule in one minute. */
export type DigestContent = { count: number; firstAt: Date; lastAt: Date };

/** The mail of a raised alert. */
export function alertMail(rule: AlertRule, alert: Alert): MailContent {
  return mail(rule, `Alert: ${rule.name}`, [
    ["Rule", rule.name],
    ["Condition", conditionText(rule.condition)],
    ["Subject", alert.subject],
    ...optional("Zone", alert.zoneId),
    ...optional("Reader", alert.readerId),
    ["First seen", alert.firstAt.toISOString()],
    ["Alert", alert.id],
  ]);
}

/** The mail of a digest. */
export function digestMail(rule: AlertRule, { count, firstAt, lastAt }: DigestContent): MailContent {
  return mail(rule, `${count} more alerts: ${rule.name}`, [
    ["Rule", rule.name],
    ["Condition", conditionText(rule.condition)],
    ["Alerts", String(count)],
    ["First", firstAt.toISOString()],
    ["Last", lastAt.toISOString()],
  ]);
}

const optional = (name: string, value: string | undefined): Row[] => (value ? [[name, value]] : []);

function mail({ workspaceId, id, channelTarget = "" }: AlertRule, title: string, rows: Row[]): MailContent {
  const text = rows.map(([name, value]) => `${name}: ${oneLine(value)}`).join("\n");
  const cells = rows.map(
    ([name, value]) => `<tr><th align="left">${name}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  return {
    ...{ workspaceId, ruleId: id, to: channelTarget.split(",") },
    subject: oneLine(title),
    text: `${text}\n`,
    html: `<!doctype html><html><body><table>${cells.join("")}</table></body></html>`,
  };
}
