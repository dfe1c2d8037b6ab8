import type { Context } from "../../context.ts";
import type { Heard } from "../../decode/reader-heard.ts";
import type { AlertRule } from "../../domain/alert-rules/alert-rule.ts";
import { silenceOf, silentSubjectOf } from "../../domain/alert-rules/condition.ts";
import type { Step } from "../../domain/alerts/alert.ts";
import { isDegraded } from "../../domain/alerts/watched-reader.ts";
import { reportOnline } from "../feed/report-readers.ts";
import { healthObservation } from "../sweeps/sweep-degraded.ts";
import { readerObservation } from "../sweeps/sweep-readers.ts";
import { applySteps } from "./apply-steps.ts";

/**
 * Keeps when readers were heard and how well they are, resolves the alerts about their silence and their health, and reports
 * those that are online again.
 */
export async function applyLiveness(context: Context, heard: readonly Heard[]): Promise<void> {
  const { stores, watched, now } = context;
  // First: a sweep that raises an alert at the same moment conflicts with it, or is seen below.
  await stores.readers.heard(heard);
  await stores.readers.judged(heard.flatMap(({ health, ...one }) => (health ? { ...one, health } : [])));
  await reportOnline(context, heard);
  for (const [workspaceId, own] of Map.groupBy(heard, (one) => one.workspaceId)) {
    const { rules } = await watched.of(workspaceId);
    const steps = rules.flatMap((rule) => [
      ...endsOfSilence(rule, own, now()),
      ...endsOfDegradation(rule, own, now()),
    ]);
    await applySteps(context, workspaceId, steps);
  }
}

function endsOfSilence(rule: AlertRule, heard: readonly Heard[], now: Date): Step[] {
  if (silentSubjectOf(rule.condition) !== "reader") return [];
  const silence = silenceOf(rule.condition) ?? 0;
  return heard
    .filter(({ at }) => now.getTime() - at.getTime() < silence)
    .map(({ id, at }) => ({
      rule,
      meaning: "ends",
      sighting: { ...readerObservation({ id, lastSeenAt: at }), at, receivedAt: at },
    }));
}

function endsOfDegradation(rule: AlertRule, heard: readonly Heard[], now: Date): Step[] {
  if (rule.condition.type !== "reader_degraded") return [];
  const { reasons } = rule.condition;
  return heard.flatMap(({ id, health }): Step[] => {
    if (health === undefined || isDegraded(health, reasons)) return [];
    const observation = healthObservation({ id, healthSequence: health.sequence });
    return [{ rule, meaning: "ends", sighting: { ...observation, at: now, receivedAt: now } }];
  });
}
