import { conflict } from "@asset-register/runtime";
import type { AlertRule, Meaning } from "./alert-rule.ts";
import { isAfter, isLive, type Order, type Sighting, subjectOf } from "./sighting.ts";

/** A rule that fired for a subject. Each pair has at most one unresolved alert. */
export type Alert = {
  id: string;
  workspaceId: string;
  ruleId: string;
  /** open -> acknowledged -> resolved; open -> resolved. Resolved is final. */
  status: "open" | "acknowledged" | "resolved";
  /** The asset's id, or "epc:..." for an unknown tag. */
  subject: string;
  assetId?: string | undefined;
  zoneId?: string | undefined;
  readerId?: string | undefined;
  count: number;
  firstAt: Date;
  lastAt: Date;
  acknowledgedAt?: Date | undefined;
  resolvedAt?: Date | undefined;
  /** Counts the changes of status, from 1. A repeat is only observed. */
  rev: number;
  /** Of the last sighting that had an effect. Sightings that are not after it were applied before. */
  order: Order;
};

export type AlertFilter = { status?: Alert["status"] | undefined; ruleId?: string | undefined };

/** What a sighting does to a rule's alert for its subject. */
export type Effect = { kind: "none" } | { kind: "raised" | "repeated" | "resolved"; alert: Alert };

const NONE: Effect = { kind: "none" };

/**
 * What `sighting`, which has `meaning` for `rule`, does. `latest` is the newest alert of the rule for the subject,
 * resolved or not. `newId` gives the id of a raised alert. A sighting that was applied before does nothing, so a
 * redelivered event has no second effect.
 */
export function effectOf(
  input: { rule: AlertRule; meaning: Meaning; sighting: Sighting; latest: Alert | undefined },
  newId: () => string,
): Effect {
  const { rule, meaning, sighting, latest } = input;
  if (!isLive(sighting)) return NONE;
  if (latest && !isAfter(sighting.order, latest.order)) return NONE;
  if (latest && latest.status !== "resolved") {
    return meaning === "fires" ? repeat(latest, sighting) : end(latest, sighting);
  }
  if (meaning === "ends" || (latest && isCoolingDown(rule, latest, sighting))) return NONE;
  return { kind: "raised", alert: raise(rule, sighting, newId()) };
}

/**
 * The alert after somebody has acknowledged it; the same alert when it is acknowledged already.
 * @throws AppError ALERT_RESOLVED
 */
export function acknowledge(alert: Alert, at: Date): Alert {
  if (alert.status === "resolved") throw conflict("ALERT_RESOLVED", "The alert is already resolved.");
  if (alert.status === "acknowledged") return alert;
  return { ...alert, status: "acknowledged", acknowledgedAt: at, rev: alert.rev + 1 };
}

/** The alert after it has ended; the same alert when it is resolved already. */
export function resolve(alert: Alert, at: Date): Alert {
  if (alert.status === "resolved") return alert;
  return { ...alert, status: "resolved", resolvedAt: at, rev: alert.rev + 1 };
}

function raise({ id: ruleId, workspaceId, condition }: AlertRule, sighting: Sighting, id: string): Alert {
  const { assetId, readerId, at, order } = sighting;
  // A tag that moved out of the rule's zone was read in another one.
  const zoneId = condition.type === "left_zone" ? condition.zoneId : sighting.zoneId;
  return {
    ...{ id, workspaceId, ruleId, assetId, zoneId, readerId, order },
    status: "open",
    subject: subjectOf(sighting),
    count: 1,
    firstAt: at,
    lastAt: at,
    rev: 1,
  };
}

function repeat(alert: Alert, { at, order }: Sighting): Effect {
  const lastAt = new Date(Math.max(at.getTime(), alert.lastAt.getTime()));
  return { kind: "repeated", alert: { ...alert, count: alert.count + 1, lastAt, order } };
}

function end(alert: Alert, { receivedAt, order }: Sighting): Effect {
  return { kind: "resolved", alert: { ...resolve(alert, receivedAt), order } };
}

// By the sighting's own time, so that a redelivered event has the same effect later.
function isCoolingDown({ cooldownSeconds }: AlertRule, { resolvedAt }: Alert, sighting: Sighting): boolean {
  if (!resolvedAt) return false;
  return sighting.receivedAt.getTime() < resolvedAt.getTime() + cooldownSeconds * 1000;
}
