import { createLongWork, type LongWork } from "@asset-register/mongo";
import type { Context } from "../../context.ts";
import { type RunDocument, runRecords } from "../../store/runs/runs.ts";
import { createRunComputation } from "./compute-run.ts";
import { postLines } from "./post-lines.ts";

/** How the waiting times of the work differ in tests. */
export type WorkSettings = { leaseMs?: number };

/** The long work on runs: computing and posting. */
export function createDepreciating(context: Context, { leaseMs }: WorkSettings = {}): LongWork<RunDocument> {
  const compute = createRunComputation(context);
  return createLongWork<RunDocument>({
    ...{ ...context, collection: runRecords.collection, leaseMs },
    // Posting cannot fail: all failures are retried.
    statuses: { computing: { failed: "failed" }, posting: { failed: "posting" } },
    step: (run, call) => (run.status === "posting" ? postLines(context, run) : compute(run, call)),
    failed: (_, { code, message }) => ({ set: { error: { code, message } }, inc: { rev: 1 } }),
  });
}
