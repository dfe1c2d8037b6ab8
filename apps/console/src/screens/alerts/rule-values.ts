import type { Schemas } from "../../api/client.ts";
import { namesOf } from "../../parts/chosen.ts";

export type Rule = Schemas["AlertRule"];
type Written = Schemas["NewAlertRule"];
type Condition = Written["condition"];
export type RuleType = Condition["type"];
export type Scope = Written["scope_type"];
type Reason = NonNullable<Schemas["ReaderDegraded"]["reasons"]>[number];
type Weekday = Schemas["AfterHours"]["open_days"][number];

export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const satisfies Weekday[];
export const reasons = ["blind", "clock_skew", "signatures", "rejected"] as const satisfies Reason[];
export const channels = ["inapp", "email", "webhook"] as const satisfies Written["channel"][];

/** The scopes that make sense: a rule about a zone has its zone already, and a reader has no category. */
const aboutAssets: readonly Scope[] = ["all", "category", "location", "asset"];
const aboutReads: readonly Scope[] = ["all", "zone", "location"];
export const scopes: Record<RuleType, readonly Scope[]> = {
  seen_in_zone: aboutAssets,
  left_zone: aboutAssets,
  exit_portal_unauthorised: aboutAssets,
  after_hours: [...aboutAssets, "zone"],
  unknown_tag: aboutReads,
  tag_cloned: [...aboutAssets, "zone"],
  status_mismatch: [...aboutAssets, "zone"],
  not_seen_for: [...aboutAssets, "zone"],
  reader_offline: aboutReads,
  reader_degraded: aboutReads,
};
export const types = Object.keys(scopes) as RuleType[];

export const hasZone = (type: RuleType): boolean =>
  type === "seen_in_zone" || type === "left_zone" || type === "exit_portal_unauthorised";

/** The form of a rule: the fields of all types. */
export type RuleValues = {
  name: string;
  type: RuleType;
  zone_id: string | null;
  open_days: Weekday[];
  open_from: string;
  open_to: string;
  status_ids: string[];
  hours: number | string;
  minutes: number | string;
  reasons: Reason[];
  scope_type: Scope;
  scope_id: string | null;
  channel: Written["channel"];
  channel_target: string;
  cooldown_minutes: number | string;
};

const empty: RuleValues = {
  ...{ name: "", type: "seen_in_zone", zone_id: null },
  ...{ open_days: ["mon", "tue", "wed", "thu", "fri"], open_from: "08:00", open_to: "18:00" },
  ...{ status_ids: [], hours: 24, minutes: 15, reasons: [], scope_type: "all", scope_id: null },
  ...{ channel: "inapp", channel_target: "", cooldown_minutes: 5 },
};

/** The values that the form shows for a rule, or for a new one. */
export function ruleValuesOf(rule?: Rule): RuleValues {
  if (rule === undefined) return empty;
  const { name, condition, scope_type, scope_id, channel, channel_target, cooldown_seconds } = rule;
  const known = Object.entries(condition).filter(([field]) => field in empty);
  return {
    ...{ ...empty, ...Object.fromEntries(known) },
    ...{ name, scope_type, scope_id, channel },
    channel_target: channel_target ?? "",
    cooldown_minutes: cooldown_seconds / 60,
  };
}

function conditionOf(values: RuleValues): Condition {
  const { type, open_days, open_from, open_to, status_ids } = values;
  switch (type) {
    case "seen_in_zone":
    case "left_zone":
    case "exit_portal_unauthorised":
      return { type, zone_id: values.zone_id ?? "" };
    case "after_hours":
      return { type, open_days: weekdays.filter((day) => open_days.includes(day)), open_from, open_to };
    case "status_mismatch":
      return { type, status_ids };
    case "not_seen_for":
      return { type, hours: Number(values.hours) };
    case "reader_offline":
      return { type, minutes: Number(values.minutes) };
    case "reader_degraded":
      return { type, minutes: Number(values.minutes), reasons: values.reasons };
    case "unknown_tag":
    case "tag_cloned":
      return { type };
  }
}

/** The rule that a form describes. */
export function ruleBodyOf(values: RuleValues): Written {
  const { name, scope_type, scope_id, channel, channel_target, cooldown_minutes } = values;
  return {
    ...{ name: name.trim(), scope_type, channel, enabled: null, condition: conditionOf(values) },
    ...(scope_type !== "all" && { scope_id }),
    ...(channel !== "inapp" && { channel_target: channel_target.trim() }),
    cooldown_seconds: Math.round(Number(cooldown_minutes) * 60),
  };
}

/** What a form's rule is tried by on past sightings. Undefined when it can't be: readers have no sightings. */
export function backtestRuleOf(
  values: RuleValues,
): Schemas["PostAlertRulesBacktestRequest"]["rule"] | undefined {
  const isAboutReaders = values.type === "reader_offline" || values.type === "reader_degraded";
  if (isAboutReaders || !isComplete({ ...values, name: "any", channel: "inapp" })) return undefined;
  const { scope_type, scope_id, condition, cooldown_seconds } = ruleBodyOf(values);
  return { scope_type, condition, ...(scope_id && { scope_id }), cooldown_seconds: cooldown_seconds ?? null };
}

/** Only these fields can change, and only changed ones are sent: a repeated scope would resolve open alerts. */
const changeable = ["name", "condition", "channel_target", "cooldown_seconds"] as const;

/** The changes of a form to a rule. */
export function ruleChangesOf(values: RuleValues, rule: Rule): Schemas["PatchAlertRulesByIdRequest"] {
  const [next, before] = [ruleBodyOf(values), ruleBodyOf(ruleValuesOf(rule))];
  const differs = (field: keyof Written) => JSON.stringify(next[field]) !== JSON.stringify(before[field]);
  const changed = changeable.filter(differs).map((field) => [field, next[field]]);
  const { scope_type, scope_id = null } = next;
  return {
    ...Object.fromEntries(changed),
    ...((differs("scope_type") || differs("scope_id")) && { scope_type, scope_id }),
  };
}

/** Whether a change resolves the open alerts of its rule. */
export const resolvesAlerts = (changes: Schemas["PatchAlertRulesByIdRequest"]): boolean =>
  changes.condition !== undefined || changes.scope_type !== undefined;

/** Whether everything that the type needs is chosen. */
export function isComplete(values: RuleValues): boolean {
  const { name, type, zone_id, open_days, open_from, open_to, status_ids, scope_type, scope_id } = values;
  return (
    name.trim() !== "" &&
    (!hasZone(type) || zone_id !== null) &&
    (type !== "after_hours" || (open_days.length > 0 && open_from !== "" && open_to !== "")) &&
    (type !== "status_mismatch" || status_ids.length > 0) &&
    (scope_type === "all" || scope_id !== null) &&
    (values.channel === "inapp" || values.channel_target.trim() !== "")
  );
}

/** The names that the server has added to a rule. A deleted record may have none: then its id is shown. */
export function namesOfRule({ condition, scope, scope_id }: Rule) {
  return {
    zone: "zone_id" in condition ? (condition.zone?.name ?? condition.zone_id) : undefined,
    scope: scope?.name ?? scope_id ?? undefined,
    statuses: "status_ids" in condition ? namesOf(condition.status_ids, condition.statuses) : [],
  };
}
