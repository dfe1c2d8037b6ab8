import { type Condition, isOpen, silenceOf } from "./condition.ts";
import { isSince } from "./is-since.ts";
import { isLive, type Sighting } from "./sighting.ts";

/** What a rule watches. Every type but `all` has the id of a record. */
export type Scope = {
  scopeType: "all" | "zone" | "location" | "category" | "asset";
  scopeId?: string | undefined;
};

/** What to watch for, and where to report it. */
export type AlertRule = Scope & {
  id: string;
  workspaceId: string;
  name: string;
  condition: Condition;
  channel: "inapp" | "email" | "webhook";
  /** The URL of a webhook rule. The addresses of an email rule, separated by commas. */
  channelTarget?: string | undefined;
  enabled: boolean;
  cooldownSeconds: number;
  createdAt: Date;
  /** When it was created, enabled again, or last got another scope or condition. Absent in rows of older releases. */
  activeSince?: Date | undefined;
  rev: number;
  /** Counts the changes of scope, condition and `enabled`: what was judged by another version is void. */
  version: number;
};

/** What the register has of an asset. A deleted one has nothing. */
export type AssetFacts = {
  categoryId?: string | undefined;
  locationId?: string | undefined;
  statusId?: string | undefined;
};

/** What a rule needs besides the sighting. `asset` is absent while it is not known. */
export type Facts = { asset?: AssetFacts | undefined; timeZone: string };

/** What a sighting means for a rule: its condition holds, or has ended. */
export type Meaning = "fires" | "ends";

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
  return scopeType === "location" || scopeType === "category" || condition.type === "status_mismatch";
}

/** Whether a rule depends on the movements and checkouts of the asset. */
export function needsPositions({ condition }: Pick<AlertRule, "condition">): boolean {
  return condition.type === "exit_portal_unauthorised";
}

/** Whether a rule that depends on the asset may apply to a sighting of it. */
export function mayApply(rule: AlertRule, sighting: Sighting, timeZone: string): boolean {
  const { condition, scopeId } = rule;
  if (condition.type === "status_mismatch") return isLive(sighting) && isPresent(sighting);
  const asset = { categoryId: scopeId, locationId: scopeId };
  return meaningOf(rule, sighting, { asset, timeZone }) !== undefined;
}

/**
 * Whether a rule may judge a sighting. What was received before the rule became active raises nothing: a replay of the
 * topic is no news. Sightings only end alerts about silence, so there every sighting counts.
 */
export function isNewFor(
  { condition, activeSince, createdAt }: Pick<AlertRule, "condition" | "activeSince" | "createdAt">,
  { receivedAt }: Pick<Sighting, "receivedAt">,
): boolean {
  return silenceOf(condition) !== undefined || isSince(receivedAt, activeSince ?? createdAt);
}

function meaningForCondition(condition: Condition, sighting: Sighting, facts: Facts): Meaning | undefined {
  const { kind, zoneId, fromZoneId, assetId } = sighting;
  if (condition.type === "not_seen_for") {
    return assetId !== undefined && ageOf(sighting) < (silenceOf(condition) ?? 0) ? "ends" : undefined;
  }
  // When no reader was left, nobody took the tag away.
  if (!isLive(sighting) || sighting.reason === "reader_gone") return undefined;
  const present = isPresent(sighting);
  const confirmed = present && !sighting.unconfirmed;
  switch (condition.type) {
    case "seen_in_zone":
      return confirmed && zoneId === condition.zoneId ? "fires" : undefined;
    case "left_zone":
      // Any read in it, also a single one.
      if (present && zoneId === condition.zoneId) return "ends";
      return fromZoneId === condition.zoneId ? "fires" : undefined;
    case "exit_portal_unauthorised":
      if (kind !== "arrived" && (kind !== "moved" || fromZoneId === zoneId)) return undefined;
      return zoneId === condition.zoneId ? "fires" : undefined;
    case "after_hours":
      return confirmed && !isOpen(condition, sighting.at, facts.timeZone) ? "fires" : undefined;
    case "status_mismatch": {
      const { statusId } = facts.asset ?? {};
      return present && statusId !== undefined && condition.statusIds.includes(statusId)
        ? "fires"
        : undefined;
    }
    case "unknown_tag":
      return kind === "unknown_tag" ? "fires" : undefined;
    case "reader_offline":
      return undefined;
  }
}

/** Whether an asset was read. */
function isPresent({ kind }: Sighting): boolean {
  return kind === "arrived" || kind === "moved" || kind === "seen";
}

function ageOf({ at, receivedAt }: Sighting): number {
  return receivedAt.getTime() - at.getTime();
}

/** Whether a sighting is in the scope of a rule. `asset` is what the register has of it. */
export function isInScope(
  { scopeType, scopeId }: Scope,
  sighting: Pick<Sighting, "assetId" | "zoneId" | "fromZoneId" | "locationId">,
  asset: AssetFacts | undefined,
): boolean {
  if (scopeType === "all") return true;
  const { assetId, zoneId, fromZoneId, locationId } = sighting;
  const ids = {
    zone: [zoneId, fromZoneId],
    location: [assetId === undefined ? locationId : asset?.locationId],
    category: [asset?.categoryId],
    asset: [assetId],
  };
  return scopeId !== undefined && ids[scopeType].includes(scopeId);
}
