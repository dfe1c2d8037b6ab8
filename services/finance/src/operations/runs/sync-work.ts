import { createLongWork, type LongWork } from "@asset-register/mongo";
import { requireActive } from "@asset-register/service";
import type { Context } from "../../context.ts";
import { type AssetSyncDocument, assetSyncRecords } from "../../store/profiles/asset-syncs.ts";
import { bringAssetsUpToDate } from "../profiles/bring-assets-up-to-date.ts";
import type { WorkSettings } from "./run-work.ts";

/** A step ends after this time. */
const STEP_MS = 800;

/** Applies register's newest changes. After the 2 s of a post a worker continues. */
export function createSyncing(context: Context, { leaseMs }: WorkSettings = {}): LongWork<AssetSyncDocument> {
  return createLongWork<AssetSyncDocument>({
    ...{ ...context, collection: assetSyncRecords.collection, leaseMs },
    // Register decides nothing here: all failures are retried.
    statuses: { applying: { failed: "applying" } },
    async step({ workspaceId, progress }, { signal }) {
      await requireActive(context, workspaceId);
      const isDone = await bringAssetsUpToDate(context, workspaceId, { signal, withinMs: STEP_MS });
      return { progress, ...(isDone && { status: "applied", set: { appliedAt: context.now() } }) };
    },
  });
}
