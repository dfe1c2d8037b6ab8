import { createLongWork, type LongWork } from "@asset-register/mongo";
import type { Context } from "../../context.ts";
import { type RunRemovalDocument, runRemovalRecords } from "../../store/runs/run-removals.ts";
import type { WorkSettings } from "./run-work.ts";

/** Rows that one transaction removes. */
const PAGE = 2_000;

/** Removes the rows of discarded runs. */
export function createRemoving(
  context: Context,
  { leaseMs }: WorkSettings = {},
): LongWork<RunRemovalDocument> {
  const { runLines, runSkips, runWarnings, runChanges } = context.stores;
  return createLongWork<RunRemovalDocument>({
    ...{ ...context, collection: runRemovalRecords.collection, leaseMs },
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
