import { limits } from "@asset-register/proto/limits";
import type { Call } from "@asset-register/rpc";
import {
  changesBetween,
  conflict,
  type FieldViolation,
  invalid,
  lengthOf,
  newId,
} from "@asset-register/runtime";
import type { Context } from "../context.ts";
import {
  type AlertRule,
  type Condition,
  DEFAULT_COOLDOWN_SECONDS,
  type Scope,
} from "../domain/alert-rule.ts";
import { newSecret } from "../domain/signing.ts";
import { originOf } from "../domain/webhook-url.ts";
import { auditEntry } from "../published.ts";
import type { Endpoint } from "../store/endpoints.ts";
import { checkReceiver } from "./check-receiver.ts";
import { requireReferences } from "./require-references.ts";

/** Of a workspace: each live sighting is judged by all of them, while other workspaces' wait behind it. */
export const MAX_ALERT_RULES = 100;

export type NewAlertRule = {
  name: string;
  scopeType: Scope["type"] | undefined;
  scopeId: string;
  condition: Condition | undefined;
  channel: "inapp" | "email" | "webhook" | undefined;
  channelTarget: string;
  cooldownSeconds: number | undefined;
};

/** A rule and, of a webhook rule, the secret that is shown in this answer only. */
export type CreatedAlertRule = { rule: AlertRule; secret?: string };

/** Makes a rule of zones, places and assets that exist. */
export async function createAlertRule(
  parts: Pick<
    Context,
    | "mongo"
    | "outbox"
    | "rules"
    | "endpoints"
    | "limits"
    | "keys"
    | "resolve"
    | "allowedNetworks"
    | "zones"
    | "categories"
    | "directory"
  >,
  input: NewAlertRule,
  call: Call,
): Promise<CreatedAlertRule> {
  const { scope, condition, channel } = parse(input);
  await requireReferences(parts, scope, condition, call);
  const url =
    channel === "webhook" ? await checkReceiver(parts, input.channelTarget, "channel_target") : undefined;
  const rule: AlertRule = {
    id: newId("rul"),
    workspaceId: call.workspaceId,
    name: input.name.trim(),
    scope,
    condition,
    channel,
    ...(url === undefined ? {} : { channelTarget: url }),
    enabled: true,
    cooldownSeconds: input.cooldownSeconds ?? DEFAULT_COOLDOWN_SECONDS,
    createdAt: new Date(),
    rev: 1,
  };
  const secret = newSecret();
  return parts.mongo.transaction(call, async (session) => {
    // As with webhooks: two who count at once collide here.
    await parts.limits.touch(rule.workspaceId, session);
    if ((await parts.rules.count(rule.workspaceId, session)) >= MAX_ALERT_RULES) {
      throw conflict("ALERT_RULE_LIMIT_REACHED", `A workspace has at most ${MAX_ALERT_RULES} alert rules`);
    }
    await parts.rules.insert(rule, session);
    const details = changesBetween({}, audited(rule));
    await parts.outbox.add(session, auditEntry(call, rule.createdAt, "alert_rule.created", rule.id, details));
    if (url === undefined) return { rule };
    await parts.endpoints.insert(endpointOf(rule, url, parts.keys.seal(rule.id, secret)), session);
    return { rule, secret };
  });
}

function audited({ name, scope, condition, channel, channelTarget, cooldownSeconds }: AlertRule) {
  return {
    name,
    scope: scope.type === "all" ? "all" : `${scope.type} ${scope.id}`,
    condition: condition.type === "unknown_tag" ? condition.type : `${condition.type} ${condition.zoneId}`,
    channel,
    channel_target: channelTarget && originOf(channelTarget),
    cooldown_seconds: cooldownSeconds,
  };
}

function endpointOf(rule: AlertRule, url: string, secret: Endpoint["secret"]): Endpoint {
  const { id, workspaceId, createdAt } = rule;
  return { id, workspaceId, kind: "rule", url, events: [], secret, status: "active", createdAt, rev: 1 };
}

function parse(input: NewAlertRule) {
  const { condition, channel, cooldownSeconds = DEFAULT_COOLDOWN_SECONDS } = input;
  const violations: FieldViolation[] = [];
  const refuse = (field: string, message: string): void => void violations.push({ field, message });
  const name = input.name.trim();
  if (name === "" || lengthOf(name) > limits.name) refuse("name", `must have 1 to ${limits.name} characters`);
  const scope = parseScope(input);
  if (input.scopeType === undefined) refuse("scope_type", "must be all, zone, location, category or asset");
  else if (scope === undefined) refuse("scope_id", "is required for this scope");
  if (condition === undefined) refuse("condition", "must be seen_in_zone, left_zone or unknown_tag");
  else if (condition.type !== "unknown_tag" && condition.zoneId === "")
    refuse("condition.zone_id", "is required");
  if (channel === undefined) refuse("channel", "must be inapp, email or webhook");
  if (channel === "email") refuse("channel", "email is not set up here; use inapp or webhook");
  if (cooldownSeconds > limits.cooldownSeconds)
    refuse("cooldown_seconds", `must be at most ${limits.cooldownSeconds}`);
  const complete =
    scope !== undefined && condition !== undefined && channel !== undefined && channel !== "email";
  if (violations.length > 0 || !complete) throw invalid(violations);
  return { scope, condition, channel };
}

function parseScope({ scopeType, scopeId }: NewAlertRule): Scope | undefined {
  if (scopeType === undefined) return undefined;
  if (scopeType === "all") return { type: "all" };
  return scopeId === "" ? undefined : { type: scopeType, id: scopeId };
}
