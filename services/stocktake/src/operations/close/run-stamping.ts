import { type Chunk, createLongWork, type LongWork, type StepCall } from "@asset-register/mongo";
import { requireActive } from "@asset-register/service";
import type { Context } from "../../context.ts";
import { type StampingDocument, stampingRecords } from "../../store/stampings.ts";

/** Codes of one page. Their assets are marked in one call. */
const PAGE = 1_000;

/** How the waiting times of the work differ in tests. */
export type StampingSettings = { leaseMs?: number };

/** Marks the assets that a closed session has seen, page by page. Marking an asset again changes nothing. */
export function createStamping(
  context: Context,
  { leaseMs }: StampingSettings = {},
): LongWork<StampingDocument> {
  return createLongWork<StampingDocument>({
    ...{ ...context, collection: stampingRecords.collection, leaseMs },
    // Nothing in a stamping can be wrong: all failures are retried.
    statuses: { stamping: { failed: "stamping" } },
    step: (document, call) => markNextAssets(context, document, call),
  });
}

async function markNextAssets(
  context: Context,
  document: StampingDocument,
  { signal }: StepCall,
): Promise<Chunk<StampingDocument>> {
  const { stores, clients } = context;
  const { id: sessionId, workspaceId, after, closedAt, by, progress } = stores.stampings.toRecord(document);
  await requireActive(context, workspaceId);
  const codes = await stores.scannedCodes.listBound(workspaceId, sessionId, after, PAGE);
  const assetIds = [...new Set(codes.flatMap(({ assetId }) => assetId ?? []))];
  if (assetIds.length > 0) {
    await clients.markCounted({ workspaceId, sessionId, closedAt, assetIds, by }, signal);
  }
  const isLast = codes.length < PAGE;
  return {
    progress: { done: progress.done + assetIds.length, total: progress.total },
    set: { after: assetIds.at(-1) ?? after },
    ...(isLast && { status: "done" }),
    async save(transaction) {
      await stores.sessions.count(workspaceId, sessionId, { "stamped.done": assetIds.length }, transaction);
    },
  };
}
