import { timeOfId } from "@asset-register/runtime";
import type { AlertRule } from "../../../../services/notification/src/domain/alert-rules/alert-rule.ts";
import { type Alert, minuteOf } from "../../../../services/notification/src/domain/alerts/alert.ts";
import { DIGEST_TYPE, messageId } from "../../../../services/notification/src/domain/webhooks/message.ts";
import { alertRuleRecords } from "../../../../services/notification/src/store/alert-rules/alert-rules.ts";
import { alertRecords } from "../../../../services/notification/src/store/alerts/alerts.ts";
import { digestRecords } from "../../../../services/notification/src/store/alerts/digests.ts";
import { mailRecords } from "../../../../services/notification/src/store/alerts/mails.ts";
import { noticeRecords } from "../../../../services/notification/src/store/alerts/notices.ts";
import { deliveryRecords } from "../../../../services/notification/src/store/webhooks/deliveries.ts";
import { endpointRecords } from "../../../../services/notification/src/store/webhooks/endpoints.ts";
import { followDelivery, followMessage } from "./deliveries.ts";
import { mailStep } from "./mails.ts";
import { passed, type Steps, stopped, unknown, waits } from "./step.ts";
import { findById, type Tools } from "./tools.ts";

/** Follows an alert to the channel of its rule, and to the webhooks that ask for alert.raised. */
export async function* followAlert(tools: Tools, id: string, endpointId?: string): Steps {
  const mongo = await tools.database("notification");
  const alert = await findById(mongo, alertRecords, id);
  if (alert === undefined) {
    yield stopped(
      "alert",
      `There is no alert ${id}.`,
      "Ask by its cause: cli why alert ast_... --rule rul_...",
    );
    return;
  }
  const { workspaceId, ruleId, ruleName, subject, status, count, firstAt } = alert;
  yield passed(
    "alert",
    `${id} of rule ${ruleId} (${ruleName}) for ${subject}: ${status}, raised at ${firstAt.toISOString()}, count ${count}.`,
  );
  if (endpointId === undefined) {
    const rule = await alertRuleRecords.store(mongo).get(workspaceId, ruleId);
    if (rule) yield* followChannel(tools, rule, alert);
    else yield stopped("rule", `${ruleId} is deleted. Its pending messages have ended.`);
  }
  const subscriptions = await endpointRecords
    .store(mongo)
    .collection.countDocuments({ workspaceId, kind: "subscription" });
  if (subscriptions > 0 || endpointId !== undefined)
    yield* followMessage(tools, { workspaceId, type: "alert.raised", cause: causeOf(alert) }, endpointId);
}

/** The messages about the opening of an alert have this cause. */
const causeOf = ({ id }: Alert): string => `${id}:1`;

async function* followChannel(tools: Tools, rule: AlertRule, alert: Alert): Steps {
  const found = yield* followOwn(tools, rule, alert);
  if (found) return;
  const mongo = await tools.database("notification");
  const { workspaceId } = rule;
  const digest = await digestRecords
    .store(mongo)
    .findOne(workspaceId, { ruleId: rule.id, alertIds: alert.id });
  if (digest) {
    yield waits(
      "digest",
      `More than 20 alerts of the rule came in a minute: it is in the digest ${digest.id}.`,
      sweeps,
    );
    return;
  }
  yield unknown(
    "channel",
    `There is no message of it on the channel ${rule.channel}.`,
    "It was in a digest (more than 20 alerts in a minute), the channel was changed, or the message ended more than 45 days ago.",
  );
}

const sweeps = "It is sent about a minute later, by a process of notification with the role worker.";

/** False if there is no message of the alert on the channel of its rule. */
async function* followOwn(tools: Tools, rule: AlertRule, alert: Alert): Steps<boolean> {
  const mongo = await tools.database("notification");
  const { workspaceId, id: ruleId, channel } = rule;
  if (channel === "inapp") {
    const notice = await noticeRecords.store(mongo).findOne(workspaceId, { alertId: alert.id });
    if (notice)
      yield passed("notice", `${notice.id} is in the app, for users with the capability alerts or admin.`);
    return notice !== undefined;
  }
  if (channel === "email") {
    const mails = await mailRecords.store(mongo).find(workspaceId, { ruleId, alertIds: alert.id });
    for (const mail of mails) yield mailStep(mail);
    return mails.length > 0;
  }
  const ids = messageIdsOf(rule, alert);
  const delivery = await deliveryRecords
    .store(mongo)
    .findOne(workspaceId, { endpointId: ruleId, messageId: { $in: ids } });
  if (delivery === undefined) return false;
  yield passed("delivery", `${delivery.id}: ${delivery.type} to the webhook of the rule.`);
  yield* followDelivery(tools, delivery, await endpointRecords.store(mongo).get(workspaceId, ruleId));
  return true;
}

/** Of the alert, and of the digests in which it may be: those of the minute in which it was raised, or of the next. */
function messageIdsOf({ id: ruleId, workspaceId }: AlertRule, alert: Alert): string[] {
  const raised = timeOfId(alert.id) ?? alert.firstAt;
  const digests = [0, 60_000].map((later) => minuteOf(new Date(raised.getTime() + later)));
  return [
    messageId({ workspaceId, type: "alert.raised", cause: causeOf(alert) }),
    ...digests.map((minute) =>
      messageId({ workspaceId, type: DIGEST_TYPE, cause: `${ruleId}:${minute.toISOString()}` }),
    ),
  ];
}
