import {
  type AlertRule,
  needsAsset,
  needsPositions,
} from "../../../../services/notification/src/domain/alert-rules/alert-rule.ts";
import { zoneOf } from "../../../../services/notification/src/domain/alert-rules/condition.ts";
import { isCovered } from "../../../../services/notification/src/domain/alert-rules/coverage.ts";
import {
  reasonAgainst,
  reasonByAlert,
} from "../../../../services/notification/src/domain/alert-rules/reason-against.ts";
import {
  isAfter,
  type Sighting,
  subjectOf,
} from "../../../../services/notification/src/domain/alerts/sighting.ts";
import { createAlertStore } from "../../../../services/notification/src/store/alerts/alerts.ts";
import { waitingSightingRecords } from "../../../../services/notification/src/store/alerts/waiting-sightings.ts";
import { createAssetStore } from "../../../../services/notification/src/store/projections/assets.ts";
import { createWorkspaceStore } from "../../../../services/notification/src/store/projections/workspaces.ts";
import { createZoneStore } from "../../../../services/notification/src/store/projections/zones.ts";
import { checkoutRecords } from "../../../../services/register/src/store/custody/checkouts.ts";
import { movementRecords } from "../../../../services/register/src/store/custody/movements.ts";
import { followAlert } from "./alert.ts";
import { type Step, type Steps, stopped, unknown, waits } from "./step.ts";
import type { Tools } from "./tools.ts";

/** Sightings that are explained, of those that a rule does not fire on. */
const EXPLAINED = 3;

/** Why the sightings of a subject, the newest first, have raised no alert of a rule. If they have, it follows the alert. */
export async function* followJudged(tools: Tools, rule: AlertRule, sightings: readonly Sighting[]): Steps {
  const against: Step[] = [];
  for (const sighting of sightings) {
    const reason = reasonAgainst(rule, sighting, await factsOf(tools, rule, sighting));
    if (reason === undefined) return yield* followFired(tools, rule, sighting);
    against.push(stopped("sighting", `${nameOf(sighting)} ${reason}`));
  }
  yield* against.slice(0, EXPLAINED);
  if (against.length > EXPLAINED)
    yield stopped("sighting", `The rule does not fire on ${against.length - EXPLAINED} older ones either.`);
}

function nameOf({ id, kind, at }: Sighting): string {
  return `${id} (${kind} at ${at.toISOString()}):`;
}

async function factsOf({ database }: Tools, { workspaceId }: AlertRule, { assetId }: Sighting) {
  const mongo = await database("notification");
  const [workspace, assets] = await Promise.all([
    createWorkspaceStore(mongo).get(workspaceId),
    createAssetStore(mongo).getMany(workspaceId, assetId === undefined ? [] : [assetId]),
  ]);
  return { asset: assets.get(assetId ?? ""), timeZone: workspace?.timeZone ?? "UTC" };
}

/** A sighting on which the rule fires. */
async function* followFired(tools: Tools, rule: AlertRule, sighting: Sighting): Steps {
  const mongo = await tools.database("notification");
  const { workspaceId } = rule;
  const waiting = await waitingSightingRecords.store(mongo).get(workspaceId, `${rule.id}:${sighting.id}`);
  if (waiting) {
    yield waits(
      "register",
      `${nameOf(sighting)} The register has not answered about its asset. It waits since ${waiting.savedAt.toISOString()}.`,
      "It is asked again every 2 s. Is the register available?",
    );
    return;
  }
  const [latest] = await createAlertStore(mongo).listLatest(workspaceId, [rule.id], [subjectOf(sighting)]);
  if (latest && !isAfter(sighting.order, latest.order)) return yield* followAlert(tools, latest.id);
  const reason = reasonByAlert(rule, sighting, latest);
  if (reason !== undefined) yield stopped("alert", `${nameOf(sighting)} ${reason}`);
  else if (needsPositions(rule)) yield await coverageStep(tools, rule, sighting);
  else
    yield unknown(
      "judging",
      `${nameOf(sighting)} The rule fires on it, but there is no alert.`,
      judgingAdvice(rule),
    );
}

const judgingAdvice = (rule: AlertRule): string =>
  needsAsset(rule)
    ? "The asset had another category, location or status then, or the rule was changed since."
    : "The rule was changed since: a change of scope or condition ends what was judged before.";

async function coverageStep(tools: Tools, rule: AlertRule, sighting: Sighting): Promise<Step> {
  const { workspaceId } = rule;
  const { assetId = "", at } = sighting;
  const [register, notification] = await Promise.all([
    tools.database("register"),
    tools.database("notification"),
  ]);
  const [movements, checkouts, locations] = await Promise.all([
    movementRecords.store(register).find(workspaceId, { assetId }, { sort: { at: -1 }, limit: 1000 }),
    checkoutRecords.store(register).find(workspaceId, { assetId }, { sort: { _id: -1 }, limit: 1000 }),
    createZoneStore(notification).locationsOf(workspaceId, [zoneOf(rule.condition) ?? ""]),
  ]);
  const zoneLocations = locations.get(zoneOf(rule.condition) ?? "") ?? [];
  return isCovered({ movements, checkouts }, at, zoneLocations)
    ? stopped(
        "exit",
        `${nameOf(sighting)} The exit is authorised by a checkout, or by a movement around its time.`,
      )
    : unknown(
        "judging",
        `${nameOf(sighting)} The rule fires on it, but there is no alert.`,
        judgingAdvice(rule),
      );
}
