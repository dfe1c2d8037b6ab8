import { createLongWork, type LongWork, type Mongo } from "@asset-register/mongo";
import type { Logger, Metrics } from "@asset-register/runtime";
import type { Stores } from "../../context.ts";
import { type RunRemovalDocument, runRemovalRecords } from "../../store/run-removals.ts";
import type { WorkSettings } from "./run-work.ts";

/** Rows that one transaction removes. */
const PAGE = 2_000;

type Parts = { mongo: Mongo; stores: Stores; logger: Logger; metrics: Metrics };

/** Removes the rows of discarded runs. */
export function createRemoving(parts: Parts, { leaseMs }: WorkSettings = {}): LongWork<RunRemovalDocument> {
  const { mongo, stores, logger, metrics } = parts;
  const { runLines, runSkips, runWarnings, runChanges } = stores;
  return createLongWork<RunRemovalDocument>({
    ...{ mongo, collection: runRemovalRecords.collection, logger, metrics, leaseMs },
    // Nothing in a removal can be wrong: all failures are retried.
    statuses: { removing: { failed: "removing" } },
    async step({ _id: runId, workspaceId, progress }) {
      for (const rows of [runLines, runSkips, runWarnings, runChanges]) {
        const ids = await rows.someIds(workspaceId, runId, PAGE);
        if (ids.length === 0) continue;
        const done = progress.done + ids.length;
        return {
          progress: { done, total: done },
          save: (session) => rows.removeMany(workspaceId, ids, session),
        };
      }
      return { progress, status: "removed" };
    },
  });
}
