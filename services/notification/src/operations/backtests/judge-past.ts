import { batches } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import {
  type AlertRule,
  isInScope,
  meaningOf,
  needsAsset,
  needsPositions,
} from "../../domain/alert-rules/alert-rule.ts";
import { needsOf, silenceOf, zoneOf } from "../../domain/alert-rules/condition.ts";
import {
  COVERED_AFTER_MS,
  COVERED_BEFORE_MS,
  isCovered,
  locationAt,
  type Positions,
} from "../../domain/alert-rules/coverage.ts";
import type { AssetFacts } from "../../domain/alert-rules/meaning.ts";
import type { Sighting } from "../../domain/alerts/sighting.ts";
import type { Judged } from "../../domain/backtests/ring.ts";
import type { ProjectedAsset } from "../../store/projections/assets.ts";
import type { Watched } from "../judging/watched-rules.ts";

type Past = { assets: ReadonlyMap<string, ProjectedAsset>; positions: ReadonlyMap<string, Positions> };

/** Assets in one question to the register. */
const BATCH = 1000;

/**
 * Judges past sightings by one rule, in their order: with the places and checkouts of their time, and the categories,
 * statuses and zones of today.
 *
 * @throws AppError UNAVAILABLE when the register does not answer
 */
export async function judgePast(
  context: Context,
  { workspaceId, timeZone, rule }: Omit<Watched, "rules"> & { rule: AlertRule },
  sightings: readonly Sighting[],
): Promise<Judged[]> {
  const byAsset = needsAsset(rule);
  const candidates = sightings.filter((sighting) =>
    byAsset && sighting.assetId !== undefined
      ? mayMean(rule, sighting, timeZone)
      : meaningOf(rule, sighting, { timeZone }) !== undefined,
  );
  if (candidates.length === 0) return [];
  const past = await readPast(context, workspaceId, rule, candidates);
  const zones = await zoneLocations(context, workspaceId, rule);
  return candidates.flatMap((sighting) => {
    const asset = factsAt(rule, sighting, past);
    const meaning = meaningOf(rule, sighting, { asset, timeZone });
    if (meaning === undefined) return [];
    const isGone = past.assets.get(sighting.assetId ?? "")?.gone === true;
    const judged = { sighting, meaning, inScope: !isGone && isInScope(rule, sighting, asset) };
    if (!needsPositions(rule)) return [judged];
    const positions = past.positions.get(sighting.assetId ?? "") ?? { movements: [], checkouts: [] };
    return isCovered(positions, sighting.at, zones) ? [] : [judged];
  });
}

/** Whether a sighting means something if its asset is in the scope and has the status. */
function mayMean(rule: AlertRule, sighting: Sighting, timeZone: string): boolean {
  if (needsOf(rule.condition) === "asset") return true;
  const asset = { categoryId: rule.scopeId, locationId: rule.scopeId };
  return meaningOf(rule, sighting, { asset, timeZone }) !== undefined;
}

function factsAt(
  { scopeType }: AlertRule,
  { assetId = "", at }: Sighting,
  past: Past,
): AssetFacts | undefined {
  const asset = past.assets.get(assetId);
  const positions = past.positions.get(assetId);
  return scopeType === "location" && positions ? { ...asset, locationId: locationAt(positions, at) } : asset;
}

async function readPast(
  { stores, clients }: Context,
  workspaceId: string,
  rule: AlertRule,
  candidates: readonly Sighting[],
): Promise<Past> {
  const ids = [...new Set(candidates.flatMap(({ assetId }) => assetId ?? []))];
  // Nobody waits for an asset that is disposed of.
  const readsAssets = needsAsset(rule) || silenceOf(rule.condition) !== undefined;
  const assets = readsAssets ? await stores.assets.getMany(workspaceId, ids) : new Map();
  const positions = new Map<string, Positions>();
  if (needsPositions(rule) || rule.scopeType === "location") {
    const times = candidates.map(({ at }) => at.getTime());
    const since = new Date(Math.min(...times) - COVERED_BEFORE_MS);
    const until = new Date(Math.max(...times) + COVERED_AFTER_MS);
    for (const assetIds of batches(ids, BATCH)) {
      const found = await clients.getPositions(workspaceId, { assetIds, since, until });
      for (const [id, one] of found) positions.set(id, one);
    }
  }
  return { assets, positions };
}

async function zoneLocations(
  { stores }: Context,
  workspaceId: string,
  rule: AlertRule,
): Promise<readonly string[]> {
  const zoneId = zoneOf(rule.condition);
  if (zoneId === undefined || !needsPositions(rule)) return [];
  return (await stores.zones.locationsOf(workspaceId, [zoneId])).get(zoneId) ?? [];
}
