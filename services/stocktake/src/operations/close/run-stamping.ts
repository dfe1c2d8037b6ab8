import { createLongWork, type LongWork, type Mongo, type Step } from "@asset-register/mongo";
import type { Logger, Metrics } from "@asset-register/runtime";
import { requireActive } from "@asset-register/service";
import type { Clients } from "../../clients.ts";
import type { Stores } from "../../context.ts";
import { type StampingDocument, stampingRecords } from "../../store/stampings.ts";

/** Codes of one page. Their assets are marked in one call. */
const PAGE = 1_000;

type Parts = { mongo: Mongo; stores: Stores; clients: Clients; logger: Logger; metrics: Metrics };

/** How the waiting times of the work differ in tests. */
export type StampingSettings = { leaseMs?: number };

/** Marks the assets that a closed session has seen, page by page. Marking an asset again changes nothing. */
export function createStamping(parts: Parts, { leaseMs }: StampingSettings = {}): LongWork<StampingDocument> {
  const { mongo, stores, clients, logger, metrics } = parts;

  const step: Step<StampingDocument> = async (document, { signal }) => {
    const { id: sessionId, workspaceId, after, closedAt, by, progress } = stores.stampings.toRecord(document);
    await requireActive(parts, workspaceId);
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
  };

  return createLongWork<StampingDocument>({
    ...{ mongo, collection: stampingRecords.collection, step, logger, metrics, leaseMs },
    // Nothing in a stamping can be wrong: all failures are retried.
    statuses: { stamping: { failed: "stamping" } },
  });
}
