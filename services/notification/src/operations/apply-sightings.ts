import { isDuplicateKey } from "@asset-register/mongo";
import { newId } from "@asset-register/runtime";
import type { Directory } from "../clients.ts";
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
import { announceAlert, notifyChannel } from "./announce-alert.ts";

type Parts = Pick<
  Context,
  "mongo" | "outbox" | "endpoints" | "deliveries" | "notices" | "rules" | "alerts" | "assets" | "workspaces"
> & { directory: Pick<Directory, "placeOf"> };

/** Judges a workspace's sightings, in their order, by its rules. A sighting that was applied before has no effect. */
export async function applySightings(
  parts: Parts,
  workspaceId: string,
  sightings: Sighting[],
): Promise<void> {
  const live = sightings.filter(isLive);
  if (live.length === 0) return;
  const rules = await parts.rules.enabled(workspaceId);
  if (rules.length === 0 || (await parts.workspaces.isDisabled(workspaceId))) return;
  const places = rules.some(needsPlace)
    ? await placesOf(parts, workspaceId, live)
    : new Map<string, AssetPlace>();
  for (const sighting of live) {
    for (const rule of rules) {
      const meaning = meaningOf(rule, sighting, places.get(sighting.assetId ?? ""));
      if (meaning !== undefined) await applyOnce(parts, rule, meaning, sighting);
    }
  }
}

// The projection may not have heard of an asset whose tag is read at once.
async function placesOf(
  parts: Parts,
  workspaceId: string,
  sightings: Sighting[],
): Promise<Map<string, AssetPlace>> {
  const ids = [...new Set(sightings.flatMap((sighting) => sighting.assetId ?? []))];
  const places = await parts.assets.find(workspaceId, ids);
  for (const id of ids.filter((known) => !places.has(known))) {
    const place = await parts.directory.placeOf(workspaceId, id);
    if (place !== undefined) places.set(id, place);
  }
  return places;
}

async function applyOnce(parts: Parts, rule: AlertRule, meaning: Meaning, sighting: Sighting): Promise<void> {
  const subject = subjectOf(sighting);
  // Each read in a zone may end an alert and hardly any does: no transaction for those.
  if (meaning === "ends" && !(await parts.alerts.hasUnresolved(rule.workspaceId, rule.id, subject))) return;
  try {
    await apply(parts, rule, meaning, sighting);
  } catch (error) {
    // Two consumers raised it at the same moment, as a partition moved: now it is there, and this one is a repeat.
    if (!isDuplicateKey(error)) throw error;
    await apply(parts, rule, meaning, sighting);
  }
}

async function apply(parts: Parts, rule: AlertRule, meaning: Meaning, sighting: Sighting): Promise<void> {
  await parts.mongo.transaction({}, async (session) => {
    const latest = await parts.alerts.latest(rule.workspaceId, rule.id, subjectOf(sighting), session);
    const effect = effectOf({ rule, meaning, sighting, latest }, () => newId("alr"));
    if (effect.kind === "none") return;
    const at = new Date();
    if (effect.kind === "raised") {
      await parts.alerts.insert(effect.alert, session);
      await notifyChannel(parts, rule, effect.alert, at, session);
    } else {
      await parts.alerts.replace(effect.alert, session);
    }
    if (effect.kind !== "repeated") await announceAlert(parts, effect.alert, at, session);
  });
}
