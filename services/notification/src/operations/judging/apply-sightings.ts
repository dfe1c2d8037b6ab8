import type { Context } from "../../context.ts";
import { type Sighting, subjectOf } from "../../domain/alerts/sighting.ts";
import { applySteps } from "./apply-steps.ts";
import { type Candidate, candidatesOf, isUndecided, judge } from "./judge.ts";

/** Applies the workspace's alert rules to sightings, in their order. A sighting that was applied before has no effect. */
export async function applySightings(
  context: Context,
  workspaceId: string,
  sightings: readonly Sighting[],
): Promise<void> {
  const { stores, watched, now } = context;
  const watch = await watched.of(workspaceId);
  const candidates = candidatesOf(watch, sightings);
  if (candidates.length === 0) return;
  const { ready, behind } = await splitBehind(context, workspaceId, candidates);
  const { steps, unanswered } = await judge(context, watch, ready);
  await stores.waitingSightings.addOnce(
    workspaceId,
    [...behind, ...unanswered].map(({ rule, sighting }) => ({ ruleId: rule.id, sighting })),
    now(),
  );
  await applySteps(context, workspaceId, steps);
}

/** A sighting queues behind the earlier ones that wait for its rule and subject. */
async function splitBehind(
  { stores }: Context,
  workspaceId: string,
  candidates: Candidate[],
): Promise<{ ready: Candidate[]; behind: Candidate[] }> {
  const asking = candidates.filter(isUndecided);
  if (asking.length === 0) return { ready: candidates, behind: [] };
  const waiting = await stores.waitingSightings.listPairs(
    workspaceId,
    [...new Set(asking.map(({ rule }) => rule.id))],
    [...new Set(asking.map(({ sighting }) => subjectOf(sighting)))],
  );
  const pairs = new Set(waiting.map(({ ruleId, subject }) => `${ruleId} ${subject}`));
  const { ready = [], behind = [] } = Object.groupBy(candidates, ({ rule, sighting }) =>
    pairs.has(`${rule.id} ${subjectOf(sighting)}`) ? "behind" : "ready",
  );
  return { ready, behind };
}
