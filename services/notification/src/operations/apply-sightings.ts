import { isDuplicateKey } from "@asset-register/mongo";
import { newId } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { effectOf } from "../domain/alert.ts";
import {
  type AlertRule,
  type AssetPlace,
  type Meaning,
  meaningOf,
  needsPlace,
} from "../domain/alert-rule.ts";
import { isLive, type Sighting, subjectOf } from "../domain/sighting.ts";
import { emitAlert, notifyChannel } from "./emit-alert.ts";

/** Applies the workspace's alert rules to sightings, in their order. A sighting that was applied before has no effect. */
export async function applySightings(
  context: Context,
  workspaceId: string,
  sightings: Sighting[],
): Promise<void> {
  const { alertRules, workspaces } = context.stores;
  const live = sightings.filter(isLive);
  if (live.length === 0) return;
  const rules = await alertRules.listEnabled(workspaceId);
  if (rules.length === 0 || (await workspaces.isDisabled(workspaceId))) return;
  const places = rules.some(needsPlace) ? await findPlaces(context, workspaceId, live) : undefined;
  for (const sighting of live) {
    for (const rule of rules) {
      const meaning = meaningOf(rule, sighting, places?.get(sighting.assetId ?? ""));
      if (meaning) await applyOnce(context, rule, meaning, sighting);
    }
  }
}

/** The places of the assets. An asset whose tag is read at once may not be projected yet: then the register is asked. */
async function findPlaces(
  { stores, clients }: Context,
  workspaceId: string,
  sightings: Sighting[],
): Promise<Map<string, AssetPlace>> {
  const ids = [...new Set(sightings.flatMap(({ assetId }) => assetId ?? []))];
  const places = await stores.assetPlaces.getMany(workspaceId, ids);
  for (const id of ids) {
    if (places.has(id)) continue;
    const place = await clients.getAssetPlace(workspaceId, id);
    if (place) places.set(id, place);
  }
  return places;
}

async function applyOnce(
  context: Context,
  rule: AlertRule,
  meaning: Meaning,
  sighting: Sighting,
): Promise<void> {
  const { alerts } = context.stores;
  // Each read in a zone may end an alert, and hardly any does: no transaction for those that don't.
  if (meaning === "ends" && !(await alerts.hasUnresolved(rule.workspaceId, rule.id, subjectOf(sighting)))) {
    return;
  }
  try {
    await apply(context, rule, meaning, sighting);
  } catch (error) {
    // Two consumers raised the alert at the same moment, while a partition moved. Now it exists: this is a repeat.
    if (!isDuplicateKey(error)) throw error;
    await apply(context, rule, meaning, sighting);
  }
}

async function apply(context: Context, rule: AlertRule, meaning: Meaning, sighting: Sighting): Promise<void> {
  const { mongo, stores, now } = context;
  const { workspaceId } = rule;
  await mongo.transaction({}, async (session) => {
    const latest = await stores.alerts.getLatest(workspaceId, rule.id, subjectOf(sighting), session);
    const effect = effectOf({ rule, meaning, sighting, latest }, () => newId("alr"));
    if (effect.kind === "none") return;
    const { kind, alert } = effect;
    const at = now();
    if (kind === "raised") {
      await stores.alerts.insert(workspaceId, alert, session);
      await notifyChannel(context, rule, alert, at, session);
    } else {
      await stores.alerts.save(workspaceId, alert, latest?.rev ?? 0, session);
    }
    if (kind !== "repeated") await emitAlert(context, alert, at, session);
  });
}
