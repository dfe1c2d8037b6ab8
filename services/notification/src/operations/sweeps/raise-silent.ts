import type { ClientSession } from "@asset-register/mongo";
import { batches, newId } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { AlertRule } from "../../domain/alert-rules/alert-rule.ts";
import { type Alert, isCoolingDown, type Outcome, raise } from "../../domain/alerts/alert.ts";
import { type Observation, subjectOf } from "../../domain/alerts/sighting.ts";
import { saveOutcomes } from "../judging/apply-steps.ts";

/** Something that is silent: an asset or a reader, and since when. */
export type Silent = { observation: Observation; since: Date };

/** Alerts of one transaction. */
const CHUNK = 100;

/**
 * Raises alerts about silence. Nothing is raised while an alert is unresolved, during the cooldown, and again for a
 * silence that was reported before. `hold` returns in the transaction the subjects that are still silent.
 */
export async function raiseSilent(
  context: Context,
  rule: AlertRule,
  silent: readonly Silent[],
  hold: (subjects: ReadonlySet<string>, session: ClientSession) => Promise<ReadonlySet<string>>,
): Promise<void> {
  const { stores, now } = context;
  const { workspaceId, id } = rule;
  for (const some of batches(silent, CHUNK)) {
    const subjects = some.map(({ observation }) => subjectOf(observation));
    const latest = await stores.alerts.listLatest(workspaceId, [id], subjects);
    const bySubject = new Map(latest.map((alert) => [alert.subject, alert]));
    const outcomes = some.flatMap((one): Outcome[] => {
      const before = bySubject.get(subjectOf(one.observation));
      return isReported(rule, one, before, now()) ? [] : [outcomeOf(rule, one, before)];
    });
    if (outcomes.length === 0) continue;
    // The next sweep judges assets that another change has overtaken.
    await saveOutcomes(context, workspaceId, outcomes, async (session) => {
      const wanted = new Set(outcomes.flatMap(({ inserted }) => inserted.map(({ subject }) => subject)));
      const held = await hold(wanted, session);
      return outcomes.filter(({ inserted }) => inserted.every(({ subject }) => held.has(subject)));
    });
  }
}

function isReported(rule: AlertRule, { since }: Silent, latest: Alert | undefined, now: Date): boolean {
  if (!latest) return false;
  if (latest.status !== "resolved" || isCoolingDown(rule, latest, now)) return true;
  return since.getTime() <= latest.lastAt.getTime();
}

function outcomeOf(rule: AlertRule, { observation }: Silent, before: Alert | undefined): Outcome {
  const alert = raise(rule, observation, newId("alr"));
  const changed = before && { before, after: { ...before, superseded: true as const } };
  return { rule, changed, inserted: [alert], reported: [alert] };
}
