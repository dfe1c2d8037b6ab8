import type { ClientSession } from "@asset-register/mongo";
import { newId } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { AlertRule } from "../../domain/alert-rules/alert-rule.ts";
import { minuteOf } from "../../domain/alerts/alert.ts";
import { digestMessage } from "../../domain/webhooks/payload.ts";
import type { Digest } from "../../store/alerts/digests.ts";
import { mailDigest } from "../alerts/enqueue-mails.ts";
import { deliveryOf } from "../webhooks/enqueue-messages.ts";

const PAGE = 100;

/** A transaction that adds to a digest takes at most this long. */
const LATE_MS = 30_000;

/** Sends the digests of the minutes that are over, and to which nothing can be added any more. */
export async function sendDigests(context: Context, signal: AbortSignal): Promise<void> {
  const { stores, now, logger } = context;
  const minute = minuteOf(new Date(now().getTime() - LATE_MS));
  for (const { id, workspaceId } of await stores.digests.listDue(minute, PAGE)) {
    if (signal.aborted) return;
    try {
      await sendDigest(context, workspaceId, id);
    } catch (error) {
      logger.warn({ err: error, workspaceId, digest: id }, "a digest was not sent; the next sweep retries");
    }
  }
}

async function sendDigest(context: Context, workspaceId: string, id: string): Promise<void> {
  const { mongo, stores, now } = context;
  await mongo.transaction({}, async (session) => {
    const digest = await stores.digests.get(workspaceId, id, session);
    if (!digest) return;
    await stores.digests.remove(workspaceId, id, session);
    const rule = await stores.alertRules.get(workspaceId, digest.ruleId, session);
    if (rule?.enabled) await report(context, rule, digest, now(), session);
  });
}

async function report(
  context: Context,
  rule: AlertRule,
  digest: Digest,
  at: Date,
  session: ClientSession,
): Promise<void> {
  const { stores } = context;
  const { workspaceId, id: ruleId } = rule;
  const { count } = digest;
  switch (rule.channel) {
    case "webhook":
      return stores.deliveries.addOnce([deliveryOf(digestMessage(digest, at), ruleId)], session);
    case "email":
      return mailDigest(context, rule, digest, session);
    case "inapp":
      return stores.notices.insert(
        workspaceId,
        { id: newId("ntc"), workspaceId, kind: "alert_digest", at, ruleId, count },
        session,
      );
  }
}
