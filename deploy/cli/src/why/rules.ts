import type { AlertRule } from "../../../../services/notification/src/domain/alert-rules/alert-rule.ts";
import { silenceOf } from "../../../../services/notification/src/domain/alert-rules/condition.ts";
import type { Sighting } from "../../../../services/notification/src/domain/alerts/sighting.ts";
import { alertRuleRecords } from "../../../../services/notification/src/store/alert-rules/alert-rules.ts";
import { readerProjection } from "../../../../services/notification/src/store/projections/readers.ts";
import { createWorkspaceStore } from "../../../../services/notification/src/store/projections/workspaces.ts";
import { endpointRecords } from "../../../../services/notification/src/store/webhooks/endpoints.ts";
import { assetRecords } from "../../../../services/register/src/store/assets/asset-records.ts";
import { CliError } from "../output.ts";
import { followAlert } from "./alert.ts";
import { followJudged } from "./judged.ts";
import { followSightings } from "./sightings.ts";
import { followSilence } from "./silence.ts";
import { passed, type Step, type Steps, stopped, unknown } from "./step.ts";
import { findById, type Tools } from "./tools.ts";

/** `id` is of an alert or a rule, or names the subject: an asset, a reader, or `epc:...` of an unknown tag. */
export type AlertQuestion = { id: string; ruleId?: string | undefined; since: Date };

/** Why an alert did not come: follows the alert, or without one what would have raised it. */
export async function* followToAlert(tools: Tools, question: AlertQuestion): Steps {
  const { id, ruleId } = question;
  if (id.startsWith("alr_")) return yield* followAlert(tools, id);
  if (id.startsWith("rul_")) return yield* followRuleAlone(tools, id);
  if (ruleId === undefined) return yield* followEachRule(tools, question);
  const rule = await findRule(tools, ruleId);
  if (rule === undefined) yield noRule(ruleId);
  else if (yield* checkRule(tools, rule))
    yield* followSubject(tools, rule, question, sightingsOnce(tools, rule, question));
}

async function* followRuleAlone(tools: Tools, id: string): Steps {
  const rule = await findRule(tools, id);
  if (rule === undefined) yield noRule(id);
  else if (yield* checkRule(tools, rule))
    yield unknown(
      "subject",
      "The rule is in use.",
      `Name what it did not report: cli why alert ast_... --rule ${id}`,
    );
}

/** One line for each rule of the workspace: what stopped it. */
async function* followEachRule(tools: Tools, question: AlertQuestion): Steps {
  const workspaceId = await workspaceOf(tools, question.id);
  const mongo = await tools.database("notification");
  const rules = await alertRuleRecords.store(mongo).find(workspaceId, {}, { sort: { _id: 1 } });
  if (rules.length === 0) yield stopped("rule", `${workspaceId} has no alert rules.`);
  const sightings = sightingsOnce(tools, { workspaceId }, question);
  for (const rule of rules) {
    const steps = followOne(tools, rule, question, sightings);
    for await (const one of steps) if (one.state !== "passed") yield named(rule, one);
  }
}

async function* followOne(
  tools: Tools,
  rule: AlertRule,
  question: AlertQuestion,
  sightings: Sightings,
): Steps {
  if (yield* checkRule(tools, rule)) yield* followSubject(tools, rule, question, sightings);
}

const named = ({ id, name }: AlertRule, step: Step): Step => ({
  ...step,
  text: `${id} (${name}): ${step.text}`,
});

/** The sightings are read once for all rules. */
type Sightings = () => Promise<{ steps: Step[]; handled: Sighting[] | undefined }>;

function sightingsOnce(
  tools: Tools,
  { workspaceId }: { workspaceId: string },
  question: AlertQuestion,
): Sightings {
  let read: ReturnType<Sightings> | undefined;
  const subject = question.id.replace(/^epc:/, "");
  return () => {
    read ??= collect(followSightings(tools, { workspaceId, subject, since: question.since }));
    return read;
  };
}

async function collect(steps: Steps<Sighting[] | undefined>): ReturnType<Sightings> {
  const found: Step[] = [];
  for (;;) {
    const { done, value } = await steps.next();
    if (done) return { steps: found, handled: value };
    found.push(value);
  }
}

async function* followSubject(
  tools: Tools,
  rule: AlertRule,
  { id }: AlertQuestion,
  sightings: Sightings,
): Steps {
  if (silenceOf(rule.condition) !== undefined) return yield* followSilence(tools, rule, id);
  const { steps, handled } = await sightings();
  yield* steps;
  if (handled) yield* followJudged(tools, rule, handled);
}

/** Checks whether a rule can raise alerts at all. */
async function* checkRule({ database }: Tools, rule: AlertRule): Steps<boolean> {
  const { id, name, workspaceId, enabled, channel } = rule;
  const mongo = await database("notification");
  if (await createWorkspaceStore(mongo).isDisabled(workspaceId)) {
    yield stopped("workspace", `${workspaceId} is disabled: no alerts are raised.`);
    return false;
  }
  if (!enabled) {
    yield stopped("rule", `${id} (${name}) is disabled.`, "PATCH enabled of the rule.");
    return false;
  }
  if (
    channel === "webhook" &&
    (await endpointRecords.store(mongo).get(workspaceId, id))?.status === "disabled"
  ) {
    yield stopped(
      "rule",
      `The webhook of ${id} (${name}) is disabled: its alerts are sent nowhere.`,
      webhookAdvice,
    );
    return false;
  }
  yield passed("rule", `${id} (${name}) is enabled.`);
  return true;
}

const webhookAdvice =
  "It was disabled by an answer 410, or after 5 days of failures. PATCH channel_target of the rule.";

const noRule = (id: string): Step =>
  stopped("rule", `There is no alert rule ${id}. It was deleted, or is of another installation.`);

async function findRule({ database }: Tools, id: string): Promise<AlertRule | undefined> {
  return findById(await database("notification"), alertRuleRecords, id);
}

/** @throws CliError if neither the asset nor the reader exists */
async function workspaceOf({ database }: Tools, subject: string): Promise<string> {
  const found = subject.startsWith("rdr_")
    ? await findById(await database("notification"), readerProjection, subject)
    : await findById(await database("register"), assetRecords, subject);
  if (found) return found.workspaceId;
  throw new CliError(`There is no asset and no reader "${subject}". For an unknown tag, add --rule.`);
}
