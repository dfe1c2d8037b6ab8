import { isContentFailure, type Step } from "@asset-register/mongo";
import { toAppError } from "@asset-register/runtime";
import { requireActive } from "@asset-register/service";
import type { ReconcilePhase, ReconcileRun } from "../../domain/reconcile/run.ts";
import type { Session } from "../../domain/session.ts";
import type { SessionDocument } from "../../store/sessions.ts";
import { createAssetComparison } from "./compare-assets.ts";
import { compareCodes } from "./compare-codes.ts";
import type { Phase, ReconcileParts, SessionChunk } from "./parts.ts";
import { createCodeResolution } from "./resolve-codes.ts";

/** A waiting resolution is looked at again after this time. */
const RESOLUTION_MS = 500;

/** The steps of a reconcile. Each works on a page, whose place is in the session. */
export function createReconciler(parts: ReconcileParts): Step<SessionDocument> {
  const { stores, resolving } = parts;
  const phases: Record<ReconcilePhase, Phase> = {
    codes: createCodeResolution(parts),
    assets: createAssetComparison(parts),
    unbound: (step) => compareCodes(parts, step),
  };

  return async (document, { signal }) => {
    const session = stores.sessions.toRecord(document);
    const { id, workspaceId, progress, run } = session;
    if (!run) throw new Error(`session ${id} is reconciling without a run`);
    await requireActive(parts, workspaceId);
    // No resolution begins while a session is reconciling, so they are finished once.
    if (run.phase === "codes" && run.after === "" && !(await finishResolutions(session))) {
      return { progress, waitMs: RESOLUTION_MS };
    }
    try {
      return await phases[run.phase]({ session, run, signal });
    } catch (error) {
      if (!isContentFailure(error)) throw error;
      return failed(session, run, error);
    }
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

/**
 * The session gets back its status. If rows were written already, they are of two reconciles: the session becomes stale,
 * so that it cannot be closed before the next one.
 */
function failed({ progress }: Session, { before, phase }: ReconcileRun, cause: unknown): SessionChunk {
  const { code, message } = toAppError(cause);
  return {
    ...{ progress, status: before },
    set: { error: { code, message }, run: undefined },
    inc: { rev: 1, scanSeq: phase === "codes" ? 0 : 1 },
  };
}
