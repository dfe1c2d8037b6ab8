import { isSince } from "../alerts/is-since.ts";
import { isLive, type Sighting } from "../alerts/sighting.ts";
import { meaningForCondition, needsOf, silenceOf } from "./condition.ts";
import { type AssetFacts, type Facts, isPresent, type Meaning } from "./meaning.ts";
import type { RuleFields, Scope } from "./rule-fields.ts";

/** A rule: the condition to watch for, and the channel of its reports. */
export type AlertRule = RuleFields & {
  id: string;
  workspaceId: string;
  createdAt: Date;
  /** When it was created, enabled again, or last got another scope or condition. Absent in rows of older releases. */
  activeSince?: Date | undefined;
  rev: number;
  /** Counts the changes of scope, condition and `enabled`: what was judged by another version is void. */
  version: number;
};

export const DEFAULT_COOLDOWN_SECONDS = 300;

/**
 * What `sighting` means for `rule`; undefined when it means nothing. The scope `location` is where the asset belongs,
 * for an unknown tag where it was read. A condition ends in any scope, because the asset may have moved out of the
 * scope after the alert was raised. Whether an exit is covered is judged later, see isCovered.
 */
export function meaningOf(rule: AlertRule, sighting: Sighting, facts: Facts): Meaning | undefined {
  const meaning = meaningForCondition(rule.condition, sighting, facts);
  return meaning === "ends" || isInScope(rule, sighting, facts.asset) ? meaning : undefined;
}

/** Whether a rule depends on what the register has of the asset. */
export function needsAsset({ scopeType, condition }: Pick<AlertRule, "scopeType" | "condition">): boolean {
  return scopeType === "location" || scopeType === "category" || needsOf(condition) === "asset";
}

/** Whether a rule depends on the movements and checkouts of the asset. */
export function needsPositions({ condition }: Pick<AlertRule, "condition">): boolean {
  return needsOf(condition) === "positions";
}

/** Whether a rule that depends on the asset may apply to a sighting of it. */
export function mayApply(rule: AlertRule, sighting: Sighting, timeZone: string): boolean {
  const { condition, scopeId } = rule;
  if (needsOf(condition) === "asset") return isLive(sighting) && isPresent(sighting);
  const asset = { categoryId: scopeId, locationId: scopeId };
  return meaningOf(rule, sighting, { asset, timeZone }) !== undefined;
}

/**
 * Whether a rule may judge a sighting. A sighting received before the rule became active raises nothing: a replay of the
 * topic is no news. Sightings only end alerts about silence, so there every sighting counts.
 */
export function isNewFor(
  { condition, activeSince, createdAt }: Pick<AlertRule, "condition" | "activeSince" | "createdAt">,
  { receivedAt }: Pick<Sighting, "receivedAt">,
): boolean {
  return silenceOf(condition) !== undefined || isSince(receivedAt, activeSince ?? createdAt);
}

/** Whether a sighting is in the scope of a rule. `asset` is what the register has of it. */
export function isInScope(
  { scopeType, scopeId }: Scope,
  sighting: Pick<Sighting, "assetId" | "zoneId" | "fromZoneId" | "locationId" | "clone">,
  asset: AssetFacts | undefined,
): boolean {
  if (scopeType === "all") return true;
  const { assetId, zoneId, fromZoneId, locationId, clone } = sighting;
  const { reads = [] } = clone ?? {};
  const ids = {
    zone: [zoneId, fromZoneId, ...reads.map((read) => read.zoneId)],
    location:
      assetId === undefined ? [locationId, ...reads.map((read) => read.locationId)] : [asset?.locationId],
    category: [asset?.categoryId],
    asset: [assetId],
  };
  return scopeId !== undefined && ids[scopeType].includes(scopeId);
}
