import { createLongWork, type LongWork } from "@asset-register/mongo";
import type { Logger, Metrics } from "@asset-register/runtime";
import { requireActive } from "@asset-register/service";
import { type AssetSyncDocument, assetSyncRecords } from "../../store/asset-syncs.ts";
import { bringAssetsUpToDate } from "../bring-assets-up-to-date.ts";
import type { RunParts } from "./parts.ts";
import type { WorkSettings } from "./run-work.ts";

/** A step ends after this time. */
const STEP_MS = 800;

type Parts = RunParts & { logger: Logger; metrics: Metrics };

/** Applies register's newest changes. After the 2 s of a post a worker goes on. */
export function createSyncing(parts: Parts, { leaseMs }: WorkSettings = {}): LongWork<AssetSyncDocument> {
  const { mongo, logger, metrics } = parts;
  return createLongWork<AssetSyncDocument>({
    ...{ mongo, collection: assetSyncRecords.collection, logger, metrics, leaseMs },
    // Register decides nothing here: all failures are retried.
    statuses: { applying: { failed: "applying" } },
    async step({ workspaceId, progress }, { signal }) {
      await requireActive(parts, workspaceId);
      const isDone = await bringAssetsUpToDate(parts, workspaceId, { signal, withinMs: STEP_MS });
      return { progress, ...(isDone && { status: "applied" }) };
    },
  });
}
