import { createLongWork, type LongWork, type Step } from "@asset-register/mongo";
import type { Context } from "../context.ts";
import { afterFailedReconcile } from "../domain/session.ts";
import { type SessionDocument, sessionRecords } from "../store/sessions.ts";
import { readScope } from "./read-scope.ts";
import { createReconciler } from "./reconcile/reconciler.ts";

type Working = "opening" | "reconciling";

/** How the waiting times of the work differ in tests. */
export type CountingSettings = { leaseMs?: number };

/** The long work on sessions: each working status has its steps. */
export function createCounting(
  context: Context,
  { leaseMs }: CountingSettings = {},
): LongWork<SessionDocument> {
  const steps: Record<Working, Step<SessionDocument>> = {
    opening: (session, call) => readScope(context, session, call),
    reconciling: createReconciler(context),
  };
  return createLongWork<SessionDocument>({
    ...{ ...context, collection: sessionRecords.collection, leaseMs },
    statuses: { opening: { failed: "draft" }, reconciling: { failed: "open" } },
    step: (session, call) => steps[session.status as Working](session, call),
    failed: (session, { code, message }) => {
      const set = { error: { code, message } };
      if (session.status === "opening")
        return { set: { ...set, openedAt: undefined, expected: 0 }, inc: { rev: 1, scanSeq: 0 } };
      const { status, staleBy } = afterFailedReconcile(session);
      return { status, set: { ...set, run: undefined }, inc: { rev: 1, scanSeq: staleBy } };
    },
  });
}
