import type { Sighting } from "./sighting.ts";

export type Condition =
  | { type: "seen_in_zone"; zoneId: string }
  | { type: "left_zone"; zoneId: string }
  | { type: "unknown_tag" };

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
  channel: "inapp" | "webhook";
  /** The URL of a webhook rule. */
  channelTarget?: string | undefined;
  enabled: boolean;
  cooldownSeconds: number;
  createdAt: Date;
  rev: number;
};

/** Where an asset belongs, as the register has it. */
export type AssetPlace = { categoryId?: string | undefined; locationId?: string | undefined };

/** What a sighting means for a rule: its condition holds, or has ended. */
export type Meaning = "fires" | "ends";

export const DEFAULT_COOLDOWN_SECONDS = 300;

/**
 * What `sighting` means for `rule`; undefined when it means nothing. `place` is the asset's, if it is known. The scope
 * `location` is where the asset belongs, for an unknown tag where it was read. A condition ends in any scope, because
 * the asset may have moved out of the scope after the alert was raised.
 */
export function meaningOf(
  rule: AlertRule,
  sighting: Sighting,
  place: AssetPlace | undefined,
): Meaning | undefined {
  const meaning = meaningForCondition(rule.condition, sighting);
  return meaning === "ends" || isInScope(rule, sighting, place) ? meaning : undefined;
}

/** Whether the scope of a rule depends on the asset's place. */
export function needsPlace({ scopeType }: Pick<AlertRule, "scopeType">): boolean {
  return scopeType === "location" || scopeType === "category";
}

function meaningForCondition(condition: Condition, sighting: Sighting): Meaning | undefined {
  const { kind, zoneId, fromZoneId } = sighting;
  const present = kind !== "left";
  switch (condition.type) {
    case "seen_in_zone":
      return present && zoneId === condition.zoneId ? "fires" : undefined;
    case "left_zone":
      if (present && zoneId === condition.zoneId) return "ends";
      return fromZoneId === condition.zoneId ? "fires" : undefined;
    case "unknown_tag":
      return kind === "unknown_tag" ? "fires" : undefined;
  }
}

function isInScope(
  { scopeType, scopeId }: Scope,
  sighting: Sighting,
  place: AssetPlace | undefined,
): boolean {
  if (scopeType === "all") return true;
  const { assetId, zoneId, fromZoneId, locationId } = sighting;
  const ids = {
    zone: [zoneId, fromZoneId],
    location: [assetId === undefined ? locationId : place?.locationId],
    category: [place?.categoryId],
    asset: [assetId],
  };
  return scopeId !== undefined && ids[scopeType].includes(scopeId);
}
