import { createReadAhead, type Step } from "@asset-register/mongo";
import { unavailable } from "@asset-register/runtime";
import { requireActive, type WorkspaceProjection } from "@asset-register/service";
import type { Context } from "../../context.ts";
import { type Run, SHOWN } from "../../domain/runs/run.ts";
import { addContribution, contributionOf, mergeContributions } from "../../domain/runs/run-amounts.ts";
import type { RunLine } from "../../domain/runs/run-line.ts";
import type { RunChunk, RunDocument } from "../../store/runs/runs.ts";
import { bringAssetsUpToDate } from "../profiles/bring-assets-up-to-date.ts";
import { type ComputedAssets, computeAssets } from "./compute-assets.ts";
import { type RunInputs, readInputs } from "./read-inputs.ts";

/** The most assets of one chunk. */
const PAGE = 500;
/** A chunk applies changes of register for this long. */
const CATCH_UP_MS = 800;

type ComputeStep = { run: Run; workspace: WorkspaceProjection; signal: AbortSignal };

/** The steps of a run that is computing. */
export function createRunComputation(context: Context): Step<RunDocument> {
  const phases = {
    assets: (step: ComputeStep) => catchUp(context, step),
    lines: createNextLines(context),
    changes: (step: ComputeStep) => computeChanged(context, step),
  };
  return async (document, { signal }) => {
    const run = context.stores.runs.toRecord(document);
    const workspace = await requireActive(context, run.workspaceId);
    return phases[run.phase ?? "assets"]({ run, workspace, signal });
  };
}

async function catchUp(context: Context, { run, signal }: ComputeStep): Promise<RunChunk> {
  const { workspaceId, progress } = run;
  if (!(await bringAssetsUpToDate(context, workspaceId, { signal, withinMs: CATCH_UP_MS })))
    return { progress };
  const total = await context.stores.assets.count(workspaceId);
  return { progress: { done: 0, total }, set: { phase: "lines" } };
}

/** Computes the next assets in order of id. What changes after they are read ahead is computed again, as all changes are. */
function createNextLines(context: Context) {
  const pages = createReadAhead({
    read: (run: Run) => readPage(context, run),
    keyOf: ({ workspaceId, id, after }: Run) => [workspaceId, id, after].join(" "),
  });
  return async (step: ComputeStep): Promise<RunChunk> => {
    const inputs = await pages.page(step.run);
    const chunk = await computePage(context, step, inputs);
    if (chunk.set?.after !== undefined) pages.begin({ ...step.run, after: chunk.set.after });
    return chunk;
  };
}

function readPage(context: Context, run: Run): Promise<RunInputs> {
  const { stores } = context;
  const { id: runId, workspaceId, after } = run;
  return readInputs(context, run, {
    changed: () => stores.runChanges.after(workspaceId, runId, after, 2 * PAGE),
    assets: () => stores.assets.page(workspaceId, { after, limit: PAGE }),
  });
}

async function computePage(context: Context, step: ComputeStep, inputs: RunInputs): Promise<RunChunk> {
  const { stores } = context;
  const { run, workspace, signal } = step;
  const { workspaceId, progress } = run;
  const question = { run, timeZone: workspace.timeZone, signal };
  const { computed, taken } = await computeAssets(context, question, inputs);
  const last = inputs.assets[taken - 1];
  if (last === undefined) return { progress, set: { phase: "changes" } };
  const changed = inputs.changed.filter(({ assetId }) => assetId <= last.id);
  const added = contributionOf(run.period, byAsset(computed.lines));
  const done = progress.done + taken;
  return {
    progress: { done, total: Math.max(done, progress.total) },
    set: {
      after: last.id,
      totals: addContribution(run.totals, added),
      skippedCount: run.skippedCount + computed.skips.length,
    },
    inc: incOf(added.amounts),
    async save(session) {
      await insert(context, workspaceId, computed, session);
      await stores.runChanges.removeUnchanged(workspaceId, changed, session);
    },
  };
}

/** Computes assets again that have changed since. Without any, the run is a draft. */
async function computeChanged(context: Context, step: ComputeStep): Promise<RunChunk> {
  const { stores } = context;
  const { run, workspace, signal } = step;
  const { id: runId, workspaceId, progress } = run;
  const late = await stores.runChanges.first(workspaceId, runId, PAGE);
  if (late.length === 0) return finish(context, run);
  const lateIds = late.map(({ assetId }) => assetId);
  const inputs = await readInputs(context, run, {
    changed: () => stores.runChanges.ofAssets(workspaceId, runId, lateIds),
    assets: async () => [...(await stores.assets.getMany(workspaceId, lateIds)).values()],
  });
  const question = { run, timeZone: workspace.timeZone, signal };
  const { computed, taken } = await computeAssets(context, question, inputs);
  const left = new Set(inputs.assets.slice(taken).map(({ id }) => id));
  const ids = lateIds.filter((id) => !left.has(id));
  const [lines, skips] = await Promise.all([
    stores.runLines.ofAssets(workspaceId, runId, ids),
    stores.runSkips.ofAssets(workspaceId, runId, ids),
  ]);
  const added = mergeContributions(
    contributionOf(run.period, byAsset(lines), -1),
    contributionOf(run.period, byAsset(computed.lines)),
  );
  return {
    progress,
    set: {
      totals: addContribution(run.totals, added),
      skippedCount: run.skippedCount - skips.length + computed.skips.length,
    },
    inc: incOf(added.amounts),
    async save(session) {
      const removed = late.flatMap(({ id, assetId }) => (left.has(assetId) ? [] : [id]));
      const lineIds = lines.map(({ id }) => id);
      await stores.runLines.removeMany(workspaceId, lineIds, session);
      // Rows of skipped assets, of warnings and of changes have the same ids.
      await stores.runSkips.removeMany(workspaceId, removed, session);
      await stores.runWarnings.removeMany(workspaceId, removed, session);
      await insert(context, workspaceId, computed, session);
      const changed = inputs.changed.filter(({ assetId }) => !left.has(assetId));
      await stores.runChanges.removeUnchanged(workspaceId, changed, session);
    },
  };
}

async function finish({ stores }: Context, run: Run): Promise<RunChunk> {
  const { id: runId, workspaceId, book, progress } = run;
  const [warned, skips] = await Promise.all([
    stores.runWarnings.first(workspaceId, runId, SHOWN.warnings),
    stores.runSkips.first(workspaceId, runId, SHOWN.skipped),
  ]);
  const warnings = warned.flatMap(({ assetId, warnings }) => warnings.map((one) => ({ assetId, ...one })));
  return {
    status: "draft",
    progress: { done: progress.done, total: progress.done },
    set: {
      warnings: warnings.slice(0, SHOWN.warnings),
      skipped: skips.map(({ assetId, reason }) => ({ assetId, reason })),
      phase: undefined,
    },
    inc: { rev: 1 },
    async save(session) {
      await stores.bookGates.close(workspaceId, book, session);
      const late = await stores.runChanges.first(workspaceId, runId, 1, session);
      if (late.length > 0) throw unavailable("An asset has changed at this moment.");
    },
  };
}

async function insert(
  { stores }: Context,
  workspaceId: string,
  { lines, skips, warnings }: ComputedAssets,
  session: Parameters<NonNullable<RunChunk["save"]>>[0],
): Promise<void> {
  await stores.runLines.insertMany(workspaceId, lines, session);
  await stores.runSkips.insertMany(workspaceId, skips, session);
  await stores.runWarnings.insertMany(workspaceId, warnings, session);
}

/** The category is the same in all lines of an asset. */
const byAsset = (lines: readonly RunLine[]) =>
  [...Map.groupBy(lines, ({ assetId }) => assetId).values()].map((own) => ({
    categoryId: own[0]?.categoryId,
    lines: own,
  }));

const incOf = (amounts: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(amounts).map(([key, amount]) => [`amounts.${key}`, amount]));
