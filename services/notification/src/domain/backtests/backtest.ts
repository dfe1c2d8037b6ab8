import type { Actor } from "@asset-register/rpc";
import { invalid } from "@asset-register/runtime";
import type { AlertRule } from "../alert-rules/alert-rule.ts";
import { type Condition, needsOf, silenceOf, silentSubjectOf, zoneOf } from "../alert-rules/condition.ts";
import type { Scope } from "../alert-rules/rule-fields.ts";
import type { Sighting } from "../alerts/sighting.ts";

/** What a rule is judged by. */
export type BacktestRule = Scope & { condition: Condition; cooldownSeconds: number };

/** An alert that would have been raised, and the sighting that raised it, or the last one before a silence. */
export type RaisedAlert = {
  subject: string;
  assetId?: string | undefined;
  at: Date;
  kind: Sighting["kind"];
  seenAt: Date;
  eventId: string;
  zoneId?: string | undefined;
  readerId?: string | undefined;
};

/** A rule that is tried on the sightings of a time. */
export type Backtest = {
  id: string;
  workspaceId: string;
  status: "running" | "done" | "failed";
  /** Days. */
  progress: { done: number; total: number };
  rule: BacktestRule;
  from: Date;
  to: Date;
  sightings: number;
  alerts: number;
  /** Further ones that the cooldown would have spared. */
  spared: number;
  /** By the date in the time zone of the workspace; those with alerts. */
  days: { date: string; alerts: number }[];
  /** Those with the most alerts; when it is done. */
  subjects: { subject: string; assetId?: string | undefined; alerts: number }[];
  /** The first that were found. */
  firstAlerts: RaisedAlert[];
  createdAt: Date;
  createdBy: Actor;
  expiresAt: Date;
};

export const MAX_SUBJECTS = 100;
export const MAX_FIRST_ALERTS = 200;
export const BACKTEST_KEPT_MS = 7 * 86_400_000;

const DAY_MS = 86_400_000;
const MAX_SPAN_MS = 14 * DAY_MS;
const DEFAULT_SPAN_MS = 7 * DAY_MS;
/** tagging-ingest keeps sightings for so long. */
const SIGHTINGS_KEPT_MS = 90 * DAY_MS;

/** The time to judge: by default the last 7 days. @throws AppError VALIDATION_FAILED */
export function spanOf(
  asked: { from?: Date | undefined; to?: Date | undefined },
  now: Date,
): { from: Date; to: Date } {
  const to = asked.to ?? now;
  const from = asked.from ?? new Date(to.getTime() - DEFAULT_SPAN_MS);
  if (to > now) throw invalid([{ field: "to", message: "must not be in the future" }]);
  if (from >= to) throw invalid([{ field: "from", message: "must be before to" }]);
  if (to.getTime() - from.getTime() > MAX_SPAN_MS) {
    throw invalid([{ field: "from", message: "must be at most 14 days before to" }]);
  }
  if (from.getTime() < now.getTime() - SIGHTINGS_KEPT_MS) {
    throw invalid([{ field: "from", message: "must be at most 90 days ago: sightings are kept no longer" }]);
  }
  return { from, to };
}

/** A silence may have begun before the time that is judged: sightings are read from here. */
export function readFrom({ rule, from, createdAt }: Pick<Backtest, "rule" | "from" | "createdAt">): Date {
  const oldest = createdAt.getTime() - SIGHTINGS_KEPT_MS;
  return new Date(Math.max(from.getTime() - (silenceOf(rule.condition) ?? 0), oldest));
}

/** @throws AppError VALIDATION_FAILED for a condition that sightings do not decide */
export function requireTestable({ condition }: BacktestRule): void {
  const subject = silentSubjectOf(condition);
  if (subject !== "reader" && subject !== "health") return;
  throw invalid([
    { field: "rule.condition.type", message: "can't be tested: it is about readers, not about sightings" },
  ]);
}

/** What is taken as it is today. Sightings have the places of their readers. */
export function asOfToday({ scopeType, condition }: BacktestRule): string[] {
  return [
    ...(scopeType === "category" ? ["category"] : []),
    ...(needsOf(condition) === "asset" ? ["status"] : []),
    ...(needsOf(condition) === "positions" && zoneOf(condition) ? ["zones"] : []),
  ];
}

/** The rule as the judges of sightings take it: active since ever. */
export function ruleOf({ id, workspaceId, rule }: Backtest): AlertRule {
  return {
    ...{ ...rule, id, workspaceId, name: "", channel: "inapp", enabled: true },
    ...{ createdAt: new Date(0), rev: 1, version: 1 },
  };
}
