import type { Context } from "../../context.ts";
import type { KnownAsset } from "../../domain/profiles/asset.ts";
import type { Run } from "../../domain/runs/run.ts";
import {
  ofRunAsset,
  type RunLine,
  type RunSkip,
  type RunWarningRow,
  runLineId,
} from "../../domain/runs/run-line.ts";
import type { SkipReason } from "../../domain/schedule/line.ts";
import { computeLines } from "../../domain/schedule/lines.ts";
import type { CarriedProfile } from "../../store/profiles/profiles.ts";
import type { RunInputs } from "./read-inputs.ts";
import { readUnits } from "./read-units.ts";

/** The computed lines, skips and warnings of a group of assets. */
export type ComputedAssets = { lines: RunLine[]; skips: RunSkip[]; warnings: RunWarningRow[] };

/** About the lines of one chunk. In a run that catches up, one asset may have a line for each of hundreds of months. */
const MAX_LINES = 5_000;

type ComputeStep = { run: Run; timeZone: string; signal: AbortSignal };

/** Computes assets with their profiles, at most 500, until there are enough lines. `taken` is the number of them. */
export async function computeAssets(
  context: Context,
  { run, timeZone, signal }: ComputeStep,
  { assets, profiles, invalid }: Pick<RunInputs, "assets" | "profiles" | "invalid">,
): Promise<{ computed: ComputedAssets; taken: number }> {
  const { stores } = context;
  const { id: runId, workspaceId, book, period } = run;
  const disposedIds = assets.flatMap(({ id, disposal }) => (disposal === undefined ? [] : [id]));
  const accounted = await stores.disposals.accountedOf(workspaceId, book, disposedIds);
  const question = { workspaceId, timeZone, through: period, profiles: [...profiles.values()], signal };
  const units = await readUnits(context, question);

  const computed: ComputedAssets = { lines: [], skips: [], warnings: [] };
  const skip = (assetId: string, reason: SkipReason) =>
    computed.skips.push({ id: ofRunAsset(runId, assetId), workspaceId, runId, assetId, reason });
  let taken = 0;
  for (const asset of assets) {
    if (computed.lines.length >= MAX_LINES) break;
    taken += 1;
    if (asset.deletedAt !== undefined || accounted.has(asset.id)) continue;
    const profile = profiles.get(asset.id);
    if (asset.disposal !== undefined) skip(asset.id, "DISPOSED");
    else if (profile === undefined) skip(asset.id, invalid.has(asset.id) ? "INVALID_INPUT" : "NO_PROFILE");
    else add(asset, profile);
  }
  return { computed, taken };

  function add({ id: assetId, categoryId }: KnownAsset, profile: CarriedProfile): void {
    const { lines, skipped, warnings, carry } = computeLines(
      profile,
      profile.carry,
      period,
      units.get(assetId),
    );
    if (skipped !== undefined) skip(assetId, skipped);
    if (warnings.length > 0) {
      computed.warnings.push({ id: ofRunAsset(runId, assetId), workspaceId, runId, assetId, warnings });
    }
    for (const [index, line] of lines.entries()) {
      computed.lines.push({
        ...line,
        ...{
          id: runLineId(runId, assetId, index),
          workspaceId,
          runId,
          assetId,
          profileId: profile.id,
          categoryId,
        },
        carry: index === lines.length - 1 ? carry : undefined,
      });
    }
  }
}
