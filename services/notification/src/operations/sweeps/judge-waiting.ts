import type { Context } from "../../context.ts";
import { subjectOf } from "../../domain/alerts/sighting.ts";
import type { WaitingSighting } from "../../store/alerts/waiting-sightings.ts";
import { applySteps } from "../judging/apply-steps.ts";
import { type Candidate, candidateOf, judge } from "../judging/judge.ts";
import type { Watched } from "../judging/watched-rules.ts";
import { takeTurns } from "./take-turns.ts";

const PAGE = 500;

/** An alert about an older sighting helps nobody. It is also as long as the topic keeps sightings. */
const WAITS_MS = 30 * 86_400_000;

/**
 * Judges the sightings that were set aside, in their order. Sightings that the register still does not answer for stay for 30 days.
 * So do the sightings of a disabled workspace.
 */
export async function judgeWaiting(
  context: Context,
  signal: AbortSignal,
  everyMs = Number.POSITIVE_INFINITY,
): Promise<void> {
  const { stores, logger } = context;
  await takeTurns({
    list: stores.waitingSightings.listWorkspaces,
    async *begin(workspaceId) {
      while ((await judgePage(context, workspaceId)) === PAGE) yield;
      await dropWaitedTooLong(context, workspaceId);
    },
    ...{ everyMs, signal },
    onError: (error, workspaceId) =>
      logger.warn({ err: error, workspaceId }, "sightings that wait were not judged; the next sweep retries"),
  });
}

/** Drops at most one page in a sweep. */
async function dropWaitedTooLong({ stores, logger, now }: Context, workspaceId: string): Promise<void> {
  const before = new Date(now().getTime() - WAITS_MS);
  const sightings = await stores.waitingSightings.removeSavedBefore(workspaceId, before, PAGE);
  if (sightings > 0)
    logger.error({ workspaceId, sightings, reason: "not judged within 30 days" }, "sightings dropped");
}

/** Returns how many sightings were judged. */
async function judgePage(context: Context, workspaceId: string): Promise<number> {
  const { stores, watched } = context;
  if (await stores.workspaces.isDisabled(workspaceId)) return 0;
  const watch = await watched.of(workspaceId);
  const rows = await stores.waitingSightings.list(workspaceId, PAGE);
  const candidates = rows.flatMap((row) => candidateOfRow(watch, row) ?? []);
  const { steps, unanswered } = await judge(context, watch, candidates);
  // The later sightings of a pair wait for the earlier ones.
  const waiting = new Set(unanswered.map(pairOf));
  await applySteps(
    context,
    workspaceId,
    steps.filter((step) => !waiting.has(pairOf(step))),
  );
  const judged = rows.filter(({ ruleId, subject }) => !waiting.has(`${ruleId} ${subject}`));
  await stores.waitingSightings.remove(
    workspaceId,
    judged.map(({ id }) => id),
  );
  return judged.length;
}

/** Undefined when the rule is disabled or gone, or means something else now: then the sighting is dropped. */
function candidateOfRow(
  { rules, timeZone }: Watched,
  { ruleId, sighting }: WaitingSighting,
): Candidate | undefined {
  const rule = rules.find(({ id }) => id === ruleId);
  return rule && candidateOf(rule, sighting, timeZone);
}

const pairOf = ({
  rule,
  sighting,
}: Pick<Candidate, "rule"> & { sighting: Parameters<typeof subjectOf>[0] }) =>
  `${rule.id} ${subjectOf(sighting)}`;
