import type { Step } from "@asset-register/mongo";
import { requireActive } from "@asset-register/service";
import type { Context } from "../../context.ts";
import { newRun, type ReconcilePhase } from "../../domain/reconcile/run.ts";
import type { Session } from "../../domain/session.ts";
import type { SessionDocument } from "../../store/sessions.ts";
import { createAssetComparison } from "./compare-assets.ts";
import { compareCodes } from "./compare-codes.ts";
import { createCodeResolution } from "./resolve-codes.ts";
import type { Phase } from "./step.ts";

/** A waiting resolution is looked at again after this time. */
const RESOLUTION_MS = 500;

/** The steps of a reconcile. Each works on a page, whose place is in the session. */
export function createReconciler(context: Context): Step<SessionDocument> {
  const { stores } = context;
  const phases: Record<ReconcilePhase, Phase> = {
    resolve: createCodeResolution(context),
    judge_assets: createAssetComparison(context),
    judge_codes: (step) => compareCodes(context, step),
  };

  return async (document, { signal }) => {
    const session = stores.sessions.toRecord(document);
    const { id, workspaceId, progress, run } = session;
    if (!run) throw new Error(`session ${id} is reconciling without a run`);
    await requireActive(context, workspaceId);
    // A run of an earlier release lacks what its phases store for the later ones.
    if (!Object.hasOwn(phases, run.phase))
      return { progress: { ...progress, done: 0 }, set: { run: newRun(run) } };
    // No resolution begins while a session is reconciling, so they are finished once.
    if (run.phase === "resolve" && run.after === "" && !(await finishResolutions(context, session))) {
      return { progress, waitMs: RESOLUTION_MS };
    }
    return phases[run.phase]({ session, run, signal });
  };
}

async function finishResolutions(
  { stores, resolving }: Context,
  { workspaceId, id }: Session,
): Promise<boolean> {
  const waiting = await stores.resolutions.waitingIds(workspaceId, id);
  for (const _id of waiting) {
    const { status } = await resolving.finishQuickly({ _id, workspaceId }, RESOLUTION_MS);
    if (status === "resolving") return false;
  }
  return waiting.length === 0 || (await stores.resolutions.waitingIds(workspaceId, id)).length === 0;
}
