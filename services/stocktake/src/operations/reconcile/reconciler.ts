import type { Step } from "@asset-register/mongo";
import { requireActive } from "@asset-register/service";
import { newRun, type ReconcilePhase } from "../../domain/reconcile/run.ts";
import type { Session } from "../../domain/session.ts";
import type { SessionDocument } from "../../store/sessions.ts";
import { createAssetComparison } from "./compare-assets.ts";
import { compareCodes } from "./compare-codes.ts";
import type { Phase, ReconcileParts } from "./parts.ts";
import { createCodeResolution } from "./resolve-codes.ts";

/** A waiting resolution is looked at again after this time. */
const RESOLUTION_MS = 500;

/** The steps of a reconcile. Each works on a page, whose place is in the session. */
export function createReconciler(parts: ReconcileParts): Step<SessionDocument> {
  const { stores, resolving } = parts;
  const phases: Record<ReconcilePhase, Phase> = {
    resolve: createCodeResolution(parts),
    judge_assets: createAssetComparison(parts),
    judge_codes: (step) => compareCodes(parts, step),
  };

  return async (document, { signal }) => {
    const session = stores.sessions.toRecord(document);
    const { id, workspaceId, progress, run } = session;
    if (!run) throw new Error(`session ${id} is reconciling without a run`);
    await requireActive(parts, workspaceId);
    // A run of an earlier release lacks what its phases store for the later ones.
    if (!Object.hasOwn(phases, run.phase))
      return { progress: { ...progress, done: 0 }, set: { run: newRun(run) } };
    // No resolution begins while a session is reconciling, so they are finished once.
    if (run.phase === "resolve" && run.after === "" && !(await finishResolutions(session))) {
      return { progress, waitMs: RESOLUTION_MS };
    }
    return phases[run.phase]({ session, run, signal });
  };

  async function finishResolutions({ workspaceId, id }: Session): Promise<boolean> {
    const waiting = await stores.resolutions.waitingIds(workspaceId, id);
    for (const _id of waiting) {
      const { status } = await resolving.finishQuickly({ _id, workspaceId }, RESOLUTION_MS);
      if (status === "resolving") return false;
    }
    return waiting.length === 0 || (await stores.resolutions.waitingIds(workspaceId, id)).length === 0;
  }
}
