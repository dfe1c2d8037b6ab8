import type { Page } from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { RunLinesQuery } from "../../decode/run.ts";
import type { Run } from "../../domain/runs/run.ts";
import type { RunLine, RunSkip } from "../../domain/runs/run-line.ts";

/** The lines of a run in order of asset and month, with all of them or those of an asset. */
export async function listRunLines(
  { stores }: Context,
  workspaceId: string,
  { runId, assetId, page }: RunLinesQuery,
): Promise<Page<RunLine> & { currency: string }> {
  const { runLines, runs } = stores;
  const { status, totals, currency } = requireFound(await runs.get(workspaceId, runId), "run");
  const id = listed(runId, status);
  const found = await (assetId === undefined
    ? runLines.list(workspaceId, id, page, totals.lines)
    : runLines.listOfAsset(workspaceId, id, assetId, page));
  return { ...found, currency };
}

/** The assets of a run without a line, in order of asset. */
export async function listSkippedAssets(
  { stores }: Context,
  workspaceId: string,
  { runId, assetId, page }: RunLinesQuery,
): Promise<Page<RunSkip>> {
  const { runSkips, runs } = stores;
  const { status, skippedCount } = requireFound(await runs.get(workspaceId, runId), "run");
  const id = listed(runId, status);
  if (assetId !== undefined) return runSkips.listOfAsset(workspaceId, id, assetId, page);
  return runSkips.list(workspaceId, id, page, skippedCount);
}

/** The rows of a discarded run may still be there: no run has this id. */
const listed = (runId: string, status: Run["status"]): string => (status === "discarded" ? "" : runId);
