import { createLongWork, type LongWork } from "@asset-register/mongo";
import type { Logger, Metrics } from "@asset-register/runtime";
import { type RunDocument, runRecords } from "../../store/runs.ts";
import { createComputing } from "./compute-run.ts";
import type { RunParts } from "./parts.ts";
import { createPosting } from "./post-lines.ts";

/** How the waiting times of the work differ in tests. */
export type WorkSettings = { leaseMs?: number };

type WorkParts = RunParts & { logger: Logger; metrics: Metrics };

/** The long work on runs: computing and posting. */
export function createDepreciating(parts: WorkParts, { leaseMs }: WorkSettings = {}): LongWork<RunDocument> {
  const { mongo, logger, metrics } = parts;
  const [computing, posting] = [createComputing(parts), createPosting(parts)];
  return createLongWork<RunDocument>({
    ...{ mongo, collection: runRecords.collection, logger, metrics, leaseMs },
    // Posting cannot fail: all failures are retried.
    statuses: { computing: { failed: "failed" }, posting: { failed: "posting" } },
    step: (run, context) => (run.status === "posting" ? posting(run, context) : computing(run, context)),
    failed: (_, { code, message }) => ({ set: { error: { code, message } }, inc: { rev: 1 } }),
  });
}
