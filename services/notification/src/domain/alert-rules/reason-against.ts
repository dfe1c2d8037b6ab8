import { type Alert, effectOf, isCoolingDown } from "../alerts/alert.ts";
import { isAfter, isLive, type Sighting } from "../alerts/sighting.ts";
import { type AlertRule, isNewFor, meaningOf } from "./alert-rule.ts";
import { type Condition, conditionText, needsOf, silenceOf } from "./condition.ts";
import type { Facts } from "./meaning.ts";

/**
 * Why a sighting raises no alert of a rule, in a sentence for operators. Undefined if the rule fires. It does not know
 * the rule's other alerts (repeats, cooldown) and whether an exit is covered.
 */
export function reasonAgainst(rule: AlertRule, sighting: Sighting, facts: Facts): string | undefined {
  const { activeSince, createdAt, condition } = rule;
  if (silenceOf(condition) !== undefined) return "The rule is about silence: a sighting ends its alerts.";
  if (!isNewFor(rule, sighting))
    return `It was received before the rule became active at ${(activeSince ?? createdAt).toISOString()}.`;
  if (meaningOf(rule, sighting, facts) === "fires") return undefined;
  if (!isLive(sighting)) {
    const minutes = Math.round((sighting.receivedAt.getTime() - sighting.at.getTime()) / 60_000);
    return `It is late: it was received ${minutes} minutes after its time. Only sightings that are received within 10 minutes raise alerts.`;
  }
  if (sighting.reason === "reader_gone")
    return "No reader was left that could read the tag: nobody took it away.";
  const anywhere = { ...rule, scopeType: "all", scopeId: undefined } as const;
  if (meaningOf(anywhere, sighting, facts) !== "fires") return conditionReason(condition, sighting, facts);
  return `It is not in the scope of the rule: ${rule.scopeType} ${rule.scopeId}. ${placeOf(sighting, facts)}`;
}

/**
 * Why a sighting for which a rule fires raises no alert of its own: the newest alert of the rule for its subject.
 * Undefined if it raises one.
 */
export function reasonByAlert(
  rule: AlertRule,
  sighting: Sighting,
  latest: Alert | undefined,
): string | undefined {
  const { kind } = effectOf({ rule, sighting, meaning: "fires", latest }, () => "");
  if (latest === undefined || kind === "raised") return undefined;
  if (kind === "repeated")
    return `Alert ${latest.id} is ${latest.status} since ${latest.firstAt.toISOString()}. A repeat only raises its count.`;
  if (isCoolingDown(rule, latest, sighting.receivedAt) && isAfter(sighting.order, latest.order))
    return `Alert ${latest.id} was resolved at ${latest.resolvedAt?.toISOString()}. Nothing is raised for ${rule.cooldownSeconds} s after it (cooldown_seconds).`;
  return `It was applied before: alert ${latest.id} is as new as it.`;
}

function conditionReason(condition: Condition, sighting: Sighting, { asset }: Facts): string {
  const { kind, zoneId, fromZoneId, unconfirmed } = sighting;
  const seen = {
    kind: unconfirmed ? `${kind} by an unconfirmed read, which moves no tag` : kind,
    zone: zoneId,
    "from zone": fromZoneId,
    ...(needsOf(condition) === "asset" && { "status of the asset": asset?.statusId ?? "not known" }),
  };
  const facts = Object.entries(seen).flatMap(([name, value]) => (value ? `${name} ${value}` : []));
  return `The condition is not met: ${conditionText(condition)}. The sighting: ${facts.join(", ")}.`;
}

function placeOf({ zoneId, fromZoneId, locationId, assetId }: Sighting, { asset }: Facts): string {
  const place = {
    zone: zoneId ?? fromZoneId,
    location: assetId === undefined ? locationId : asset?.locationId,
    category: asset?.categoryId,
    asset: assetId,
  };
  const known = Object.entries(place).map(([name, value]) => `${name} ${value ?? "none"}`);
  return `The sighting: ${known.join(", ")}.`;
}
