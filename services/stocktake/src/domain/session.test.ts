import { expect, test } from "vitest";
import { newRun, noRows } from "./reconcile/run.ts";
import {
  afterFailedReconcile,
  assertCanCancel,
  assertCanOpen,
  hidesExpected,
  isStale,
  knownUntil,
  requireStatus,
  type Session,
  type SessionStatus,
  scannable,
} from "./session.ts";

const statuses: SessionStatus[] = [
  "draft",
  "opening",
  "open",
  "reconciling",
  "reconciled",
  "closed",
  "cancelled",
];
const session = (fields: Partial<Session>) => fields as Session;
const allowed = (assert: (session: Session) => void) =>
  statuses.filter((status) => {
    try {
      assert(session({ status }));
      return true;
    } catch (error) {
      expect(error).toMatchObject({
        ...{ kind: "conflict", code: "STOCKTAKE_STATE" },
        violations: [{ field: "status", message: status }],
      });
      return false;
    }
  });

test("which statuses allow opening, cancelling and scanning", () => {
  expect(allowed(assertCanOpen)).toEqual(["draft"]);
  expect(allowed(assertCanCancel)).toEqual(["draft", "opening", "open"]);
  expect(allowed((one) => requireStatus(one, ...scannable))).toEqual(["open", "reconciling", "reconciled"]);
});

test("a session is stale if scans came after the reconcile, and never before the first one", () => {
  expect(isStale(session({ scanSeq: 5 }))).toBe(false);
  expect(isStale(session({ scanSeq: 5, reconciledSeq: 5 }))).toBe(false);
  expect(isStale(session({ scanSeq: 6, reconciledSeq: 5 }))).toBe(true);
});

test("a blind session hides what is expected until its first reconcile", () => {
  expect(hidesExpected(session({ blind: true }))).toBe(true);
  expect(hidesExpected(session({ blind: true, reconciledAt: new Date() }))).toBe(false);
  expect(hidesExpected(session({ blind: false }))).toBe(false);
});

test("a failed reconcile gives back the status, and makes the session stale unless nothing was written yet", () => {
  const run = newRun({ seq: 3, until: new Date(), before: "reconciled" });
  expect(afterFailedReconcile({ run })).toEqual({ status: "reconciled", staleBy: 0 });
  const written = [{ after: "code:X" }, { phase: "judge_assets" }, { phase: "judge_codes" }] as const;
  for (const place of written) {
    expect(afterFailedReconcile({ run: { ...run, ...place } })).toEqual({ status: "reconciled", staleBy: 1 });
  }
  expect(afterFailedReconcile({ run: { ...run, before: "open" } }).status).toBe("open");
});

test("the session knows what happened until its last reconcile began; of an earlier release, until it ended", () => {
  const [until, reconciledAt] = [new Date(1), new Date(2)];
  expect(knownUntil({ result: { ...noRows, seen: 0, until }, reconciledAt })).toBe(until);
  expect(knownUntil({ result: { ...noRows, seen: 0 }, reconciledAt })).toBe(reconciledAt);
});
