import { batches } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import {
  type AlertRule,
  isNewFor,
  mayApply,
  meaningOf,
  needsAsset,
  needsPositions,
} from "../../domain/alert-rules/alert-rule.ts";
import { needsOf, zoneOf } from "../../domain/alert-rules/condition.ts";
import { COVERED_AFTER_MS, COVERED_BEFORE_MS, isCovered } from "../../domain/alert-rules/coverage.ts";
import type { AssetFacts, Meaning } from "../../domain/alert-rules/meaning.ts";
import type { Step } from "../../domain/alerts/alert.ts";
import type { Sighting } from "../../domain/alerts/sighting.ts";
import type { Watched } from "./watched-rules.ts";

/** A sighting that may mean something for a rule. Without a meaning, it depends on what the register has of the asset. */
export type Candidate = { rule: AlertRule; sighting: Sighting; meaning?: Meaning | undefined };

/** Assets in one question to the register. */
const BATCH = 1000;

/** Which sightings may mean something for which rules, in the order of the sightings. It only computes. */
export function candidatesOf({ rules, timeZone }: Watched, sightings: readonly Sighting[]): Candidate[] {
  const found: Candidate[] = [];
  for (const sighting of sightings) {
    for (const rule of rules) {
      const candidate = candidateOf(rule, sighting, timeZone);
      if (candidate) found.push(candidate);
    }
  }
  return found;
}

export function candidateOf(rule: AlertRule, sighting: Sighting, timeZone: string): Candidate | undefined {
  if (!isNewFor(rule, sighting)) return undefined;
  if (sighting.assetId !== undefined && needsAsset(rule)) {
    return mayApply(rule, sighting, timeZone) ? { rule, sighting } : undefined;
  }
  const meaning = meaningOf(rule, sighting, { timeZone });
  return meaning && { rule, sighting, meaning };
}

/** Whether a sighting can't be judged without the register or the projection of assets. */
export const isUndecided = ({ rule, meaning }: Candidate): boolean =>
  meaning === undefined || needsPositions(rule);

/**
 * Judges candidates with what is known of their assets. The projection is read first. The register is asked for assets
 * that are not projected yet, and for the movements and checkouts around exits.
 * @returns the steps in order, and what could not be judged because the register did not answer
 */
export async function judge(
  context: Context,
  { workspaceId, timeZone }: Watched,
  candidates: readonly Candidate[],
): Promise<{ steps: Step[]; unanswered: Candidate[] }> {
  const unanswered: Candidate[] = [];
  const assets = await factsOf(context, workspaceId, candidates);
  const meant = candidates.flatMap(({ rule, sighting, meaning }): (Candidate & { meaning: Meaning })[] => {
    if (meaning) return [{ rule, sighting, meaning }];
    const asset = assets.get(sighting.assetId ?? "");
    if (!asset) {
      unanswered.push({ rule, sighting });
      return [];
    }
    const decided = meaningOf(rule, sighting, { asset, timeZone });
    return decided ? [{ rule, sighting, meaning: decided }] : [];
  });
  const exits = meant.filter(({ rule }) => needsPositions(rule));
  const coverage = await coverageOf(context, workspaceId, exits);
  const steps = meant.filter((candidate) => {
    if (!needsPositions(candidate.rule)) return true;
    const covered = coverage.get(candidate);
    if (covered === undefined) unanswered.push(candidate);
    return covered === false;
  });
  return { steps, unanswered };
}

/** The data of the assets that candidates depend on. An asset that register does not have has none. */
async function factsOf(
  { stores, clients, register }: Context,
  workspaceId: string,
  candidates: readonly Candidate[],
): Promise<Map<string, AssetFacts>> {
  const undecided = candidates.filter(({ meaning }) => meaning === undefined);
  const ids = [...new Set(undecided.flatMap(({ sighting }) => sighting.assetId ?? []))];
  if (ids.length === 0) return new Map();
  const facts = new Map<string, AssetFacts>(await stores.assets.getMany(workspaceId, ids));
  // Rows of older releases have no status.
  const byStatus = new Set(
    undecided.flatMap(({ rule, sighting }) =>
      needsOf(rule.condition) === "asset" ? (sighting.assetId ?? []) : [],
    ),
  );
  const unknown = ids.filter((id) => {
    const known = facts.get(id);
    return !known || (byStatus.has(id) && known.statusId === undefined);
  });
  for (const id of unknown) facts.delete(id);
  await register.ask(async (options) => {
    for (const some of batches(unknown, BATCH)) {
      const found = await clients.getAssets(workspaceId, some, options);
      for (const id of some) facts.set(id, found.get(id) ?? {});
    }
  }, unknown.length > 0);
  return facts;
}

/** Whether each exit is covered. Without an entry, the register did not answer. */
async function coverageOf(
  { stores, clients, register }: Context,
  workspaceId: string,
  exits: readonly Candidate[],
): Promise<Map<Candidate, boolean>> {
  const coverage = new Map<Candidate, boolean>();
  if (exits.length === 0) return coverage;
  const zoneIds = [...new Set(exits.flatMap(({ rule }) => zoneOf(rule.condition) ?? []))];
  const locations = await stores.zones.locationsOf(workspaceId, zoneIds);
  const byAsset = Map.groupBy(exits, ({ sighting }) => sighting.assetId ?? "");
  await register.ask(async (options) => {
    for (const assetIds of batches([...byAsset.keys()], BATCH)) {
      const some = assetIds.flatMap((id) => byAsset.get(id) ?? []);
      const times = some.map(({ sighting }) => sighting.at.getTime());
      const since = new Date(Math.min(...times) - COVERED_BEFORE_MS);
      const until = new Date(Math.max(...times) + COVERED_AFTER_MS);
      const found = await clients.getPositions(workspaceId, { assetIds, since, until }, options);
      for (const exit of some) {
        const positions = found.get(exit.sighting.assetId ?? "") ?? { movements: [], checkouts: [] };
        const zoneLocations = locations.get(zoneOf(exit.rule.condition) ?? "") ?? [];
        coverage.set(exit, isCovered(positions, exit.sighting.at, zoneLocations));
      }
    }
  }, true);
  return coverage;
}
