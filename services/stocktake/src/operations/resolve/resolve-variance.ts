import type { Call } from "@asset-register/rpc";
import { conflict, requireFound, requireRev, sleep, unavailable } from "@asset-register/runtime";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../../context.ts";
import { assertAllowed, type ResolutionWork, varianceResolved } from "../../domain/resolution.ts";
import { knownUntil, requireStatus } from "../../domain/session.ts";
import type { Resolution, Variance } from "../../domain/variance.ts";
import type { ResolutionDocument } from "../../store/resolutions.ts";

export type ResolveVariance = {
  id: string;
  resolution: Resolution;
  note?: string | undefined;
  ifRevIn: readonly number[];
};

export type Resolved = { variance: Variance; currency: string };

/** Left of the call's time for the answer. A worker finishes what takes longer, and the caller retries. */
const ANSWER_MS = 500;
const POLL_MS = 50;

/**
 * Resolves a variance in three steps: it is saved as resolving, register has the effect, it is saved as resolved. The same
 * resolution meanwhile waits for the outcome, and afterwards changes nothing.
 *
 * @throws AppError NOT_FOUND, STOCKTAKE_STATE, RESOLUTION_NOT_ALLOWED, VARIANCE_RESOLVED; ASSET_MOVED_SINCE,
 *   ASSET_DISPOSED from register; UNAVAILABLE while register is
 */
export async function resolveVariance(
  context: Context,
  input: ResolveVariance,
  call: Call,
): Promise<Resolved> {
  const { mongo, stores } = context;
  const { workspaceId } = call;
  const { currency } = await requireWorkspace(context, workspaceId);
  await decided(context, input, call);
  // The transaction keeps the answer of a keyed call. After a kill before it, a repeat finds the same resolution.
  return mongo.transaction(call, async (transaction) => {
    const variance = requireFound(await stores.variances.get(workspaceId, input.id, transaction), "variance");
    return { variance, currency };
  });
}

/** Returns when the variance has the resolution. */
async function decided(context: Context, input: ResolveVariance, call: Call): Promise<void> {
  const get = async () =>
    requireFound(await context.stores.variances.get(call.workspaceId, input.id), "variance");
  let found = await get();
  requireRev(found.rev, input.ifRevIn);
  for (; ; found = await get()) {
    const isSame = found.resolution === input.resolution;
    if (found.status === "resolved" && isSame) return;
    const waits = found.status === "resolving";
    const resolving = waits ? found : await begin(context, found, input, call);
    if (!resolving) continue;
    const outcome = await outcomeOf(context, resolving, call);
    // A caller of another resolution continues with the row after the first one. So does one with If-Match, because a
    // row that was set back has another rev.
    if (waits && (!isSame || input.ifRevIn.length > 0)) continue;
    throwRefusal(outcome);
  }
}

/** The first step. Undefined if the variance was changed at the same moment. */
function begin(
  { mongo, stores }: Context,
  found: Variance,
  { resolution, note, ifRevIn }: ResolveVariance,
  { workspaceId, actor, deadline }: Call,
): Promise<Variance | undefined> {
  return mongo.transaction({ deadline }, async (transaction) => {
    const before = requireFound(await stores.variances.get(workspaceId, found.id, transaction), "variance");
    if (before.rev !== found.rev) return undefined;
    requireRev(before.rev, ifRevIn);
    const session = requireFound(
      await stores.sessions.get(workspaceId, before.sessionId, transaction),
      "session",
    );
    requireStatus(session, "reconciled");
    assertAllowed(before, resolution);
    if (before.resolution) throw varianceResolved(before.resolution);
    // A write to the session: no reconcile and no closing begins at the same moment.
    await stores.sessions.count(workspaceId, session.id, { resolutions: 1 }, transaction);
    const decision = { status: "resolving" as const, resolution, note, resolvedBy: actor };
    const variance = await stores.variances.decide(workspaceId, before, decision, transaction);
    const work: ResolutionWork = {
      id: causeOf(variance),
      ...{ workspaceId, sessionId: session.id, sessionName: session.name },
      ...{ varianceId: variance.id, varianceRev: variance.rev },
      ...{ status: "resolving", progress: { done: 0, total: 1 }, resolution, by: actor },
      seenUntil: knownUntil(session),
    };
    await stores.resolutions.insert(workspaceId, work, transaction);
    return variance;
  });
}

const causeOf = ({ id, rev }: Variance): string => `${id}:${rev}`;

/** Waits until a variance is no longer resolving. */
async function outcomeOf(
  { resolving }: Context,
  variance: Variance,
  { workspaceId, deadline }: Call,
): Promise<ResolutionDocument> {
  for (;;) {
    const left = Math.max(0, deadline.getTime() - Date.now() - ANSWER_MS);
    const outcome = await resolving.finishQuickly({ _id: causeOf(variance), workspaceId }, left);
    if (outcome.status !== "resolving") return outcome;
    const isWaiting = outcome.work?.leaseHolder == null && (outcome.work?.attempts ?? 0) > 0;
    if (isWaiting || left === 0) {
      throw unavailable("The resolution is being applied. Retry the request to see its outcome.", 1_000);
    }
    await sleep(POLL_MS);
  }
}

function throwRefusal({ status, work }: ResolutionDocument): void {
  if (status === "refused" && work?.error) {
    throw conflict(work.error.code, work.error.message, [{ field: "resolution", message: "was refused" }]);
  }
}
