import { escapeHtml, oneLine } from "@asset-register/runtime";
import type { AlertRule } from "../alert-rules/alert-rule.ts";
import { conditionSentence } from "../alert-rules/condition.ts";
import { type Names, nameOf } from "../alert-rules/names.ts";
import type { Alert } from "./alert.ts";

/** The content of a mail. Its texts hold what users wrote, so the HTML is escaped and the subject is one line. */
export type MailText = { subject: string; text: string; html: string };

/** The data of a mail besides the rule and the alerts. */
export type MailFacts = {
  names: Names;
  /** The address of the platform. Without it there is no link. */
  publicUrl: string | undefined;
};

type Row = [name: string, value: string];

/** Many alerts of a rule in one minute. */
export type DigestContent = { count: number; firstAt: Date; lastAt: Date };

/** The mail of a digest names so many subjects. */
const NAMED = 20;

/** The mail of a raised alert. */
export function alertMail(rule: AlertRule, alert: Alert, { names, publicUrl }: MailFacts): MailText {
  return mail(
    `Alert: ${rule.name}`,
    [
      ["Rule", rule.name],
      ["Condition", conditionSentence(rule.condition, names)],
      ["Subject", nameOf(alert.subject, names)],
      ...optional("Zone", alert.zoneId, names),
      ...(alert.readerId === alert.subject ? [] : optional("Reader", alert.readerId, names)),
      ["First seen", alert.firstAt.toISOString()],
      ["Alert", alert.id],
    ],
    publicUrl && `${publicUrl}/app/alerts/${alert.id}`,
  );
}

/** The mail of a digest, with the subjects of its first alerts. */
export function digestMail(
  rule: AlertRule,
  { count, firstAt, lastAt }: DigestContent,
  alerts: readonly Pick<Alert, "subject">[],
  { names, publicUrl }: MailFacts,
): MailText {
  const subjects = alerts.slice(0, NAMED).map(({ subject }) => nameOf(subject, names));
  if (subjects.length > 0 && subjects.length < count) subjects.push(`${count - subjects.length} more`);
  return mail(
    `${count} more alerts: ${rule.name}`,
    [
      ["Rule", rule.name],
      ["Condition", conditionSentence(rule.condition, names)],
      ["Alerts", String(count)],
      ...(subjects.length > 0 ? [["Subjects", subjects.join("; ")] satisfies Row] : []),
      ["First", firstAt.toISOString()],
      ["Last", lastAt.toISOString()],
    ],
    publicUrl && `${publicUrl}/app/alerts?rule_id=${rule.id}`,
  );
}

const optional = (name: string, id: string | undefined, names: Names): Row[] =>
  id ? [[name, nameOf(id, names)]] : [];

function mail(title: string, rows: readonly Row[], link: string | undefined): MailText {
  const lines = rows.map(([name, value]) => `${name}: ${oneLine(value)}`);
  const cells = rows.map(
    ([name, value]) => `<tr><th align="left">${name}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  const anchor = link ? `<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>` : "";
  return {
    subject: oneLine(title),
    text: `${[...lines, ...(link ? [link] : [])].join("\n")}\n`,
    html: `<!doctype html><html><body><table>${cells.join("")}</table>${anchor}</body></html>`,
  };
}
