import type { Actor } from "@asset-register/rpc";
import { conflict } from "@asset-register/runtime";
import type { AlertRule } from "../alert-rules/alert-rule.ts";
import { zoneOf } from "../alert-rules/condition.ts";
import type { Meaning } from "../alert-rules/meaning.ts";
import { type Clone, isAfter, isLive, type Observation, type Order, subjectOf } from "./sighting.ts";

/** A rule that fired for a subject. Each pair has at most one unresolved alert. */
export type Alert = {
  id: string;
  workspaceId: string;
  ruleId: string;
  /** As it was when the alert was raised. */
  ruleName?: string | undefined;
  /** Of the rule. */
  ruleVersion?: number | undefined;
  /** open -> acknowledged -> resolved; open -> resolved. Resolved is final. */
  status: "open" | "acknowledged" | "resolved";
  /** The id of the asset or of the reader, or "epc:..." for an unknown tag. */
  subject: string;
  assetId?: string | undefined;
  zoneId?: string | undefined;
  readerId?: string | undefined;
  /** Of tag_cloned: the reads that raised it. */
  clone?: Clone | undefined;
  count: number;
  firstAt: Date;
  lastAt: Date;
  acknowledgedAt?: Date | undefined;
  acknowledgedBy?: Actor | undefined;
  resolvedAt?: Date | undefined;
  resolvedBy?: Actor | undefined;
  /** Counts the changes of status, from 1. A repeat is only observed. */
  rev: number;
  /** Of the last sighting that had an effect. Sightings that are not after it were applied before. */
  order: Order;
  /** A newer alert of the rule for the subject exists. */
  superseded?: true | undefined;
};

export type AlertFilter = {
  status?: Alert["status"] | undefined;
  ruleId?: string | undefined;
  assetId?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
};

/** The effect of a sighting on a rule's alert for its subject. */
export type Effect = { kind: "none" } | { kind: "raised" | "repeated" | "resolved"; alert: Alert };

/** The actor of alerts that are resolved because their condition ended. */
export const BY_SERVICE: Actor = { kind: "service", id: "notification" };

const NONE: Effect = { kind: "none" };

export type Step = { rule: AlertRule; meaning: Meaning; sighting: Observation };

/**
 * What `sighting`, which has `meaning` for `rule`, does. `latest` is the newest alert of the rule for the subject,
 * resolved or not. `newId` gives the id of a raised alert. A sighting that was applied before does nothing, so a
 * redelivered event has no second effect.
 */
export function effectOf(input: Step & { latest: Alert | undefined }, newId: () => string): Effect {
  const { rule, meaning, sighting, latest } = input;
  if (meaning === "fires" && !isLive(sighting)) return NONE;
  if (latest && !isAfter(sighting.order, latest.order)) return NONE;
  if (latest && latest.status !== "resolved") {
    return meaning === "fires" ? repeat(latest, sighting) : end(latest, sighting);
  }
  if (meaning === "ends" || (latest && isCoolingDown(rule, latest, sighting.receivedAt))) return NONE;
  return { kind: "raised", alert: raise(rule, sighting, newId()) };
}

/** The effects of sightings of one subject on a rule's alerts for it. */
export type Outcome = {
  rule: AlertRule;
  /** The newest alert before, and after. */
  changed?: { before: Alert; after: Alert } | undefined;
  /** New alerts. All but the last are superseded. */
  inserted: Alert[];
  /** The alerts as they were raised or resolved, in order. Empty when there were only repeats. */
  reported: Alert[];
};

/** What `steps`, all of one rule and subject, do in their order. Undefined when they do nothing. */
export function outcomeOf(
  steps: readonly Step[],
  latest: Alert | undefined,
  newId: () => string,
): Outcome | undefined {
  const [first] = steps;
  if (!first) return undefined;
  const alerts: Alert[] = latest ? [latest] : [];
  const reported: Alert[] = [];
  for (const step of steps) {
    const effect = effectOf({ ...step, latest: alerts.at(-1) }, newId);
    if (effect.kind === "none") continue;
    const { kind, alert } = effect;
    if (kind !== "repeated") reported.push(alert);
    if (kind === "raised") {
      const before = alerts.pop();
      if (before) alerts.push({ ...before, superseded: true });
      alerts.push(alert);
    } else {
      alerts.splice(-1, 1, alert);
    }
  }
  const after = latest && alerts.shift();
  const changed = latest && after && after !== latest ? { before: latest, after } : undefined;
  if (!changed && alerts.length === 0) return undefined;
  return { rule: first.rule, changed, inserted: alerts, reported };
}

/**
 * The alert after somebody has acknowledged it; the same alert when it is acknowledged already.
 * @throws AppError ALERT_RESOLVED
 */
export function acknowledge(alert: Alert, at: Date, by: Actor): Alert {
  if (alert.status === "resolved")
    throw conflict("ALERT_RESOLVED", "The alert is already resolved.", [
      { field: "status", message: alert.status },
    ]);
  if (alert.status === "acknowledged") return alert;
  return { ...alert, status: "acknowledged", acknowledgedAt: at, acknowledgedBy: by, rev: alert.rev + 1 };
}

/** The alert after it has ended; the same alert when it is resolved already. */
export function resolve(alert: Alert, at: Date, by: Actor): Alert {
  if (alert.status === "resolved") return alert;
  return { ...alert, status: "resolved", resolvedAt: at, resolvedBy: by, rev: alert.rev + 1 };
}

/** A new alert of a rule. */
export function raise(rule: AlertRule, observation: Observation, id: string): Alert {
  const { id: ruleId, name: ruleName, version: ruleVersion, workspaceId, condition } = rule;
  const { assetId, readerId, clone, at, order } = observation;
  // A tag that moved out of the rule's zone was read in another one.
  const zoneId = condition.type === "left_zone" ? zoneOf(condition) : observation.zoneId;
  return {
    ...{ id, workspaceId, ruleId, ruleName, ruleVersion, assetId, zoneId, readerId, clone, order },
    status: "open",
    subject: subjectOf(observation),
    count: 1,
    firstAt: at,
    lastAt: at,
    rev: 1,
  };
}

/** Whether nothing is raised at `at`, because an alert was resolved a short time before. */
export function isCoolingDown(
  { cooldownSeconds }: Pick<AlertRule, "cooldownSeconds">,
  { resolvedAt }: Pick<Alert, "resolvedAt">,
  at: Date,
): boolean {
  // By the sighting's own time, so that a redelivered event has the same effect later.
  return resolvedAt !== undefined && at.getTime() < resolvedAt.getTime() + cooldownSeconds * 1000;
}

const MINUTE_MS = 60_000;

/** The minute that an instant belongs to. Alerts of one minute may be in one digest. */
export const minuteOf = (at: Date): Date => new Date(Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS);

function repeat(alert: Alert, { at, order }: Observation): Effect {
  const lastAt = new Date(Math.max(at.getTime(), alert.lastAt.getTime()));
  return { kind: "repeated", alert: { ...alert, count: alert.count + 1, lastAt, order } };
}

function end(alert: Alert, { receivedAt, order }: Observation): Effect {
  return { kind: "resolved", alert: { ...resolve(alert, receivedAt, BY_SERVICE), order } };
}
