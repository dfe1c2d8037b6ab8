import type { ClientSession } from "@asset-register/mongo";
import type { Context } from "../../context.ts";
import type { AlertRule } from "../../domain/alert-rules/alert-rule.ts";
import type { Alert } from "../../domain/alerts/alert.ts";
import { alertMail, digestMail } from "../../domain/alerts/alert-mail.ts";
import type { Digest } from "../../store/alerts/digests.ts";
import type { NewMail } from "../../store/alerts/mails.ts";

// Names are looked up when a mail is sent, because a transaction waits for no other service. Until then it has the ids.
const NO_NAMES = new Map<string, string>();

/** Mails raised alerts to the addresses of their rule. */
export function mailAlerts(
  context: Context,
  rule: AlertRule,
  alerts: readonly Alert[],
  session: ClientSession,
): Promise<void> {
  const mails = alerts.map((alert) => ({
    ...alertMail(rule, alert, { names: NO_NAMES, publicUrl: context.publicUrl }),
    ...{ type: "alert.raised" as const, alertIds: [alert.id] },
  }));
  return addMails(context, rule, mails, session);
}

/** Mails a digest to the addresses of its rule. */
export function mailDigest(
  context: Context,
  rule: AlertRule,
  { count, firstAt, lastAt, alertIds }: Digest,
  session: ClientSession,
): Promise<void> {
  const digest = { count, firstAt, lastAt };
  const text = digestMail(rule, digest, [], { names: NO_NAMES, publicUrl: context.publicUrl });
  return addMails(context, rule, [{ ...text, type: "alert.digest", alertIds, digest }], session);
}

/** Each address gets a mail of its own: a server refuses addresses one by one, and each has its own log and retries. */
async function addMails(
  { stores }: Context,
  { id: ruleId, workspaceId, channelTarget = "" }: AlertRule,
  mails: readonly Omit<NewMail, "ruleId" | "to">[],
  session: ClientSession,
): Promise<void> {
  const addresses = channelTarget.split(",");
  const each = mails.flatMap((mail) => addresses.map((address) => ({ ...mail, ruleId, to: [address] })));
  await stores.mails.add(workspaceId, each, session);
}
