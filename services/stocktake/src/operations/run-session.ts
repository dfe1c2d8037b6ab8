import { createLongWork, type LongWork, type Mongo, type Step } from "@asset-register/mongo";
import type { Logger, Metrics } from "@asset-register/runtime";
import { afterFailedReconcile } from "../domain/session.ts";
import { type SessionDocument, sessionRecords } from "../store/sessions.ts";

type Working = "opening" | "reconciling";

/** How the waiting times of the work differ in tests. */
export type CountingSettings = { leaseMs?: number };

/** The long work on sessions: each working status has its steps. */
export function createCounting(
  parts: { mongo: Mongo; logger: Logger; metrics: Metrics },
  steps: Record<Working, Step<SessionDocument>>,
  { leaseMs }: CountingSettings = {},
): LongWork<SessionDocument> {
  const { mongo, logger, metrics } = parts;
  return createLongWork<SessionDocument>({
    ...{ mongo, collection: sessionRecords.collection, logger, metrics, leaseMs },
    statuses: { opening: { failed: "draft" }, reconciling: { failed: "open" } },
    step: (session, context) => steps[session.status as Working](session, context),
    failed: (session, { code, message }) => {
      const set = { error: { code, message } };
      if (session.status === "opening")
        return { set: { ...set, openedAt: undefined, expected: 0 }, inc: { rev: 1, scanSeq: 0 } };
      const { status, staleBy } = afterFailedReconcile(session);
      return { status, set: { ...set, run: undefined }, inc: { rev: 1, scanSeq: staleBy } };
    },
  });
}
