import {
  type Chunk,
  createLongWork,
  type Effects,
  type LongWork,
  type StepCall,
} from "@asset-register/mongo";
import { AppError, conflict, requireFound } from "@asset-register/runtime";
import { requireActive } from "@asset-register/service";
import type { Context } from "../../context.ts";
import { addResolution, type ResolutionWork } from "../../domain/resolution.ts";
import type { Variance, VarianceResolution } from "../../domain/variance.ts";
import { varianceResolved } from "../../published.ts";
import { type ResolutionDocument, resolutionRecords } from "../../store/resolutions.ts";

/** Auditors of one workspace who resolve at the same moment. */
const PER_WORKSPACE = 16;

/** How the waiting times of the work differ in tests. */
export type ResolvingSettings = { leaseMs?: number };

/**
 * Applies resolutions in register, and saves what became of them. A killed process leaves its resolutions to another one,
 * and register has each effect once, because the cause stays the same.
 */
export function createResolving(
  context: Context,
  { leaseMs }: ResolvingSettings = {},
): LongWork<ResolutionDocument> {
  return createLongWork<ResolutionDocument>({
    ...{ ...context, collection: resolutionRecords.collection, leaseMs },
    perWorkspace: PER_WORKSPACE,
    statuses: { resolving: { failed: "refused" } },
    step: (document, call) => applyResolution(context, document, call),
    failed: (document, error) => refused(context, document, error),
  });
}

async function applyResolution(
  context: Context,
  document: ResolutionDocument,
  { signal }: StepCall,
): Promise<Chunk<ResolutionDocument>> {
  const { stores, outbox, now } = context;
  const work = stores.resolutions.toRecord(document);
  const { workspaceId, sessionId, resolution } = work;
  await requireActive(context, workspaceId);
  const variance = await stores.variances.get(workspaceId, work.varianceId);
  if (!variance) throw new Error(`the variance ${work.varianceId} is missing`);
  const assetRev = await applyEffect(context, work, variance, signal);
  return {
    status: "done",
    progress: { done: 1, total: 1 },
    async save(transaction) {
      const at = now();
      const { note, resolvedBy } = variance;
      const resolutions = addResolution(variance, entryOf(work, variance, { at, outcome: "resolved" }));
      const decision = {
        ...{ status: "resolved" as const, resolution, note, resolvedBy },
        ...{ resolvedAt: at, resolutions },
      };
      const resolved = await stores.variances.decide(workspaceId, variance, decision, transaction);
      const counts = { unresolved: -1, eventCount: 1, ...resolvedCounts(variance, resolution) };
      const session = await stores.sessions.count(workspaceId, sessionId, counts, transaction);
      if (!session) throw new Error(`the session ${sessionId} is missing`);
      await outbox.add(transaction, varianceResolved(session, resolved, assetRev, at));
    },
  };
}

function refused(
  { stores, now }: Context,
  document: ResolutionDocument,
  { code }: AppError,
): Effects<ResolutionDocument> {
  return {
    async save(transaction) {
      const work = stores.resolutions.toRecord(document);
      const { workspaceId, varianceId } = work;
      const found = await stores.variances.get(workspaceId, varianceId, transaction);
      const variance = requireFound(found, "variance");
      const entry = entryOf(work, variance, { at: now(), outcome: "refused", code });
      const decision = { status: "unresolved" as const, resolutions: addResolution(variance, entry) };
      const before = { id: varianceId, rev: work.varianceRev, status: "resolving" as const };
      await stores.variances.decide(workspaceId, before, decision, transaction);
    },
  };
}

const entryOf = (
  { resolution, by, varianceRev: rev }: ResolutionWork,
  { note }: Variance,
  outcome: Pick<VarianceResolution, "at" | "outcome" | "code">,
): VarianceResolution => ({ resolution, note, by, rev, ...outcome });

const resolvedCounts = ({ kind }: Variance, resolution: ResolutionWork["resolution"]) => ({
  [`result.counts.${kind}.unresolved`]: -1,
  [`result.counts.${kind}.${resolution}`]: 1,
});

/** The rev of the asset after the effect; undefined without one. */
async function applyEffect(
  { clients }: Context,
  work: ResolutionWork,
  variance: Variance,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { id: causeId, workspaceId, sessionId, sessionName, by, resolution, seenUntil } = work;
  const { assetId, effectiveLocationId: locationId, lastScannedAt: scannedAt, reason } = variance;
  if (resolution === "ignored" || assetId === undefined) return undefined;
  const effect = { workspaceId, assetId, sessionId, causeId, by };
  try {
    if (resolution === "written_off") {
      const note = `stock-take ${sessionName}`;
      return await clients.markLost({ ...effect, note, seenUntil }, signal);
    }
    if (locationId === undefined || scannedAt === undefined)
      throw new Error("a confirmed variance has no scan");
    const restoreStatus = reason === "lost_asset";
    const found = { locationId, scannedAt, sessionName, restoreStatus };
    return await clients.confirmCount({ ...effect, ...found }, signal);
  } catch (error) {
    // The variance exists, so a 404 would be misread.
    if (!(error instanceof AppError) || error.kind !== "not_found") throw error;
    throw conflict("CONFLICT", "The asset or the location was deleted. Reconcile the session again.", [
      { field: "variance_id", message: "is out of date" },
    ]);
  }
}
