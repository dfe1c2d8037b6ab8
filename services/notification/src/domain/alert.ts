import type { AlertRule, Meaning } from "./alert-rule.ts";
import { isAfter, isLive, type Order, type Sighting, subjectOf } from "./sighting.ts";

/** open -> acknowledged -> resolved; open -> resolved. Resolved is final. */
export type AlertStatus = "open" | "acknowledged" | "resolved";

/** A rule that fired for a subject; at most one unresolved for each pair. */
export type Alert = {
  id: string;
  workspaceId: string;
  ruleId: string;
  status: AlertStatus;
  /** The asset's id, or "epc:..." for an unknown tag. */
  subject: string;
  assetId?: string;
  zoneId?: string;
  readerId?: string;
  count: number;
  firstAt: Date;
  lastAt: Date;
  acknowledgedAt?: Date;
  resolvedAt?: Date;
  /** Counts changes of status, from 1. A repeat is observed, and no change. */
  rev: number;
  /** The last sighting that had an effect: what is not after it was applied before. */
  order: Order;
};

/** What a sighting does to a rule's alert for its subject. */
export type Effect =
  | { kind: "none" }
  | { kind: "raised"; alert: Alert }
  | { kind: "repeated"; alert: Alert }
  | { kind: "resolved"; alert: Alert };

export type Change = { kind: "none" | "changed"; alert: Alert };

const NONE: Effect = { kind: "none" };

/**
 * What `sighting`, which has `meaning` for `rule`, does. `latest` is the
 * newest alert of the rule for the subject, resolved or not; `id` is taken
 * when one is raised. A sighting that was applied before does nothing, so that
 * a redelivered event has no second effect.
 */
export function effectOf(
  input: { rule: AlertRule; meaning: Meaning; sighting: Sighting; latest: Alert | undefined },
  id: () => string,
): Effect {
  const { rule, meaning, sighting, latest } = input;
  if (!isLive(sighting)) return NONE;
  if (latest !== undefined && !isAfter(sighting.order, latest.order)) return NONE;
  if (latest !== undefined && latest.status !== "resolved") {
    return meaning === "fires" ? repeat(latest, sighting) : end(latest, sighting);
  }
  if (meaning === "ends" || (latest !== undefined && coolsDown(rule, latest, sighting))) return NONE;
  return { kind: "raised", alert: raise(rule, sighting, id()) };
}

/** Somebody looks after it: again is the same. Undefined when it is resolved. */
export function acknowledge(alert: Alert, now: Date): Change | undefined {
  if (alert.status === "resolved") return undefined;
  if (alert.status === "acknowledged") return { kind: "none", alert };
  return {
    kind: "changed",
    alert: { ...alert, status: "acknowledged", acknowledgedAt: now, rev: alert.rev + 1 },
  };
}

/** Ends it: again is the same. */
export function resolve(alert: Alert, now: Date): Change {
  if (alert.status === "resolved") return { kind: "none", alert };
  return { kind: "changed", alert: { ...alert, status: "resolved", resolvedAt: now, rev: alert.rev + 1 } };
}

function raise(rule: AlertRule, sighting: Sighting, id: string): Alert {
  // A move out of a zone is read in another one.
  const zoneId = rule.condition.type === "left_zone" ? rule.condition.zoneId : sighting.zoneId;
  return {
    id,
    workspaceId: rule.workspaceId,
    ruleId: rule.id,
    status: "open",
    subject: subjectOf(sighting),
    ...(sighting.assetId === undefined ? {} : { assetId: sighting.assetId }),
    ...(zoneId === undefined ? {} : { zoneId }),
    ...(sighting.readerId === undefined ? {} : { readerId: sighting.readerId }),
    count: 1,
    firstAt: sighting.at,
    lastAt: sighting.at,
    rev: 1,
    order: sighting.order,
  };
}

function repeat(alert: Alert, sighting: Sighting): Effect {
  const lastAt = new Date(Math.max(sighting.at.getTime(), alert.lastAt.getTime()));
  return { kind: "repeated", alert: { ...alert, count: alert.count + 1, lastAt, order: sighting.order } };
}

function end(alert: Alert, sighting: Sighting): Effect {
  return { kind: "resolved", alert: { ...resolve(alert, sighting.receivedAt).alert, order: sighting.order } };
}

// By the sighting's own time: judging it later, after a redelivery, gives the same.
function coolsDown(rule: AlertRule, latest: Alert, sighting: Sighting): boolean {
  if (latest.resolvedAt === undefined) return false;
  return sighting.receivedAt.getTime() < latest.resolvedAt.getTime() + rule.cooldownSeconds * 1000;
}
