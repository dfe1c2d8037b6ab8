import type { Sighting } from "./sighting.ts";

export type Scope = { type: "all" } | { type: "zone" | "location" | "category" | "asset"; id: string };

export type Condition =
  | { type: "seen_in_zone"; zoneId: string }
  | { type: "left_zone"; zoneId: string }
  | { type: "unknown_tag" };

export type Channel = "inapp" | "webhook";

/** What to watch for, and whom to tell. */
export type AlertRule = {
  id: string;
  workspaceId: string;
  name: string;
  scope: Scope;
  condition: Condition;
  channel: Channel;
  channelTarget?: string;
  enabled: boolean;
  cooldownSeconds: number;
  createdAt: Date;
  rev: number;
};

/** Where the register says that an asset belongs. */
export type AssetPlace = { categoryId?: string; locationId?: string };

/** What a sighting means to a rule: its condition holds, or has ended. */
export type Meaning = "fires" | "ends";

export const DEFAULT_COOLDOWN_SECONDS = 300;

/**
 * What `sighting` means to `rule`; undefined when it is none of its business.
 * `place` is the asset's, as far as it is known. Scope `location` is where the
 * asset belongs, and for an unknown tag where it was read. An end is one in any
 * scope: what was in it when the alert was raised may have moved since.
 */
export function meaningOf(
  rule: AlertRule,
  sighting: Sighting,
  place: AssetPlace | undefined,
): Meaning | undefined {
  const meaning = ofCondition(rule.condition, sighting);
  return meaning === "ends" || inScope(rule.scope, sighting, place) ? meaning : undefined;
}

/** Whether judging `rule` takes knowledge of the asset's place. */
export function needsPlace(rule: Pick<AlertRule, "scope">): boolean {
  return rule.scope.type === "location" || rule.scope.type === "category";
}

function ofCondition(condition: Condition, sighting: Sighting): Meaning | undefined {
  switch (condition.type) {
    case "seen_in_zone":
      return isPresent(sighting) && sighting.zoneId === condition.zoneId ? "fires" : undefined;
    case "left_zone":
      if (isPresent(sighting) && sighting.zoneId === condition.zoneId) return "ends";
      return sighting.fromZoneId === condition.zoneId ? "fires" : undefined;
    case "unknown_tag":
      return sighting.kind === "unknown_tag" ? "fires" : undefined;
  }
}

function isPresent(sighting: Sighting): boolean {
  return sighting.kind !== "left";
}

function inScope(scope: Scope, sighting: Sighting, place: AssetPlace | undefined): boolean {
  switch (scope.type) {
    case "all":
      return true;
    case "zone":
      return sighting.zoneId === scope.id || sighting.fromZoneId === scope.id;
    case "location":
      return (sighting.assetId === undefined ? sighting.locationId : place?.locationId) === scope.id;
    case "category":
      return place?.categoryId === scope.id;
    case "asset":
      return sighting.assetId === scope.id;
  }
}
