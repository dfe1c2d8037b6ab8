import type { z } from "zod";
import { mayFire, type Sighting } from "../alerts/sighting.ts";
import { type ConditionRules, conditionTypes } from "./condition-types.ts";
import type { Facts, Meaning } from "./meaning.ts";
import type { Names } from "./names.ts";

export type ConditionType = keyof typeof conditionTypes;

/** When a rule fires. */
export type Condition = z.output<(typeof conditionTypes)[ConditionType]["schema"]>;

/** The cast holds because the rules of a type get only conditions of this type. */
const rulesOf = ({ type }: Condition): ConditionRules<Condition> =>
  conditionTypes[type] as ConditionRules<never> as ConditionRules<Condition>;

/** After how much silence a condition fires, in ms. Undefined for one that sightings fire. */
export function silenceOf(condition: Condition): number | undefined {
  const { silence } = rulesOf(condition);
  return silence === "none" ? undefined : silence.after(condition);
}

/** Whose silence fires a condition. Undefined for one that sightings fire. */
export function silentSubjectOf(condition: Condition): "asset" | "reader" | "health" | undefined {
  const { silence } = rulesOf(condition);
  return silence === "none" ? undefined : silence.of;
}

/** The types that silence fires. */
export const silentTypes: readonly string[] = Object.entries(conditionTypes).flatMap(([type, { silence }]) =>
  silence === "none" ? [] : type,
);

/** The data that a condition needs of the register, besides what the scope of its rule needs. */
export const needsOf = (condition: Condition): ConditionRules["needs"] => rulesOf(condition).needs;

/** Whether a condition is about assets. An unknown tag and a reader have no category, and are no asset. */
export const isAboutAssets = (condition: Condition): boolean => rulesOf(condition).isAboutAssets;

/** Whether the alerts of a condition are resolved without a user. */
export const endsByItself = (condition: Condition): boolean => rulesOf(condition).endsByItself;

/** The meaning of a sighting for a condition in any scope; undefined when it has none. */
export function meaningForCondition(
  condition: Condition,
  sighting: Sighting,
  facts: Facts,
): Meaning | undefined {
  const { silence, meaning } = rulesOf(condition);
  return silence === "none" && !mayFire(sighting) ? undefined : meaning(condition, sighting, facts);
}

/** The condition as people read it. */
export const conditionSentence = (condition: Condition, names: Names): string =>
  rulesOf(condition).sentence(condition, names);

/** The condition in one line, for the audit log. */
export function conditionText(condition: Condition): string {
  const { type, ...values } = condition;
  const texts = Object.values(values).map(String);
  return [type, ...texts.filter((text) => text !== "")].join(" ");
}

/** The zone that a condition names. */
export function zoneOf(condition: Condition): string | undefined {
  return "zoneId" in condition ? condition.zoneId : undefined;
}

/** The statuses that a condition names. */
export function statusIdsOf(condition: Condition): string[] {
  return "statusIds" in condition ? condition.statusIds : [];
}
