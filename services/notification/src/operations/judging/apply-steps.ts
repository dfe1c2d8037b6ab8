import { type ClientSession, isDuplicateKey } from "@asset-register/mongo";
import { AppError, batches, changedMeanwhile, newId } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { type Alert, type Outcome, outcomeOf, type Step } from "../../domain/alerts/alert.ts";
import { subjectOf } from "../../domain/alerts/sighting.ts";
import { emitAlerts } from "../alerts/emit-alert.ts";
import { notifyChannel } from "../alerts/notify-channel.ts";

/** Alerts that are raised or resolved in one transaction. */
const CHUNK = 100;

/** Repeats in one write. */
const REPEATS = 1000;

/** Subjects in one question for the newest alerts. */
const SUBJECTS = 500;

/** More failures in a row are no race. */
const TRIES = 6;

/**
 * Writes what sightings do to alerts, in bulk: repeats in one write, the others in few transactions. Each write
 * requires that the alert is as it was read. If one is not, all are judged again: what was saved has no second effect.
 */
export async function applySteps(
  context: Context,
  workspaceId: string,
  steps: readonly Step[],
): Promise<void> {
  const groups = [...Map.groupBy(steps, keyOf).values()];
  for (let tries = 1; ; tries += 1) {
    if (groups.length === 0 || (await applyGroups(context, workspaceId, groups))) return;
    if (tries === TRIES) throw changedMeanwhile("alert");
  }
}

const keyOf = ({ rule, sighting }: Step): string => pairKey(rule.id, subjectOf(sighting));

const pairKey = (ruleId: string, subject: string): string => `${ruleId} ${subject}`;

/** False when another change was saved first. */
async function applyGroups(context: Context, workspaceId: string, groups: Step[][]): Promise<boolean> {
  const latest = await latestOf(context, workspaceId, groups);
  const outcomes = groups.flatMap((steps) => {
    const [first] = steps;
    return (first && outcomeOf(steps, latest.get(keyOf(first)), () => newId("alr"))) ?? [];
  });
  const { repeats = [], others = [] } = Object.groupBy(outcomes, ({ reported }) =>
    reported.length === 0 ? "repeats" : "others",
  );
  let saved = await saveRepeats(context, workspaceId, repeats);
  for (const some of batches(others, CHUNK)) {
    saved = (await saveOutcomes(context, workspaceId, some)) && saved;
  }
  return saved;
}

async function latestOf(
  { stores }: Context,
  workspaceId: string,
  groups: Step[][],
): Promise<Map<string, Alert>> {
  const found = new Map<string, Alert>();
  const first = groups.flatMap(([step]) => step ?? []);
  const ruleIds = [...new Set(first.map(({ rule }) => rule.id))];
  const subjects = [...new Set(first.map(({ sighting }) => subjectOf(sighting)))];
  for (const some of batches(subjects, SUBJECTS)) {
    for (const alert of await stores.alerts.listLatest(workspaceId, ruleIds, some)) {
      found.set(pairKey(alert.ruleId, alert.subject), alert);
    }
  }
  return found;
}

async function saveRepeats({ stores }: Context, workspaceId: string, repeats: Outcome[]): Promise<boolean> {
  let saved = true;
  for (const some of batches(repeats, REPEATS)) {
    const changes = some.flatMap(({ changed }) => changed ?? []);
    saved = (await stores.alerts.saveJudged(workspaceId, changes)) === changes.length && saved;
  }
  return saved;
}

/**
 * Saves and reports raised and resolved alerts in one transaction. Alerts of a rule that has changed since are left
 * out. `hold` selects outcomes in the transaction.
 * @returns false when another change was saved first
 */
export async function saveOutcomes(
  context: Context,
  workspaceId: string,
  outcomes: readonly Outcome[],
  hold?: (session: ClientSession) => Promise<readonly Outcome[]>,
): Promise<boolean> {
  const { mongo, stores, now } = context;
  try {
    await mongo.transaction({}, async (session) => {
      const at = now();
      const valid = await notifyAll(context, hold ? await hold(session) : outcomes, at, session);
      const changes = valid.flatMap(({ changed }) => changed ?? []);
      if ((await stores.alerts.saveJudged(workspaceId, changes, session)) < changes.length) {
        throw changedMeanwhile("alert");
      }
      await stores.alerts.insertMany(
        workspaceId,
        valid.flatMap(({ inserted }) => inserted),
        session,
      );
      await emitAlerts(
        context,
        workspaceId,
        valid.flatMap(({ reported }) => reported),
        at,
        session,
      );
    });
    return true;
  } catch (error) {
    // Two consumers judged the same sightings at the same moment, while a partition moved.
    if (isDuplicateKey(error) || (error instanceof AppError && error.code === "CONFLICT")) return false;
    throw error;
  }
}

/** Reports raised alerts on the channels of their rules. Returns the outcomes of rules that are as they were judged. */
async function notifyAll(
  context: Context,
  outcomes: readonly Outcome[],
  at: Date,
  session: ClientSession,
): Promise<Outcome[]> {
  const valid: Outcome[] = [];
  for (const [, some] of Map.groupBy(outcomes, ({ rule }) => rule.id)) {
    const raised = some.flatMap(({ reported }) => reported.filter(({ status }) => status === "open"));
    const [first] = some;
    if (!first) continue;
    if (raised.length === 0 || (await notifyChannel(context, first.rule, raised, at, session))) {
      valid.push(...some);
    }
  }
  return valid;
}
