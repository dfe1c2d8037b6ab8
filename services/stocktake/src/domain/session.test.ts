import { describe, expect, test } from "vitest";
import { newRun, noRows } from "./reconcile/run.ts";
import {
  afterFailedReconcile,
  assertCanCancel,
  assertCanClose,
  assertCanOpen,
  hidesExpected,
  inProgress,
  isStale,
  knownUntil,
  notInProgress,
  reconcilable,
  requireStatus,
  resultsOf,
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
        message: expect.stringMatching(
          new RegExp(`^The session is ${status}[.] This needs a session that is [a-z]+( or [a-z]+)*[.]$`),
        ),
      });
      return false;
    }
  });

test("which statuses allow opening, cancelling and scanning", () => {
  expect(allowed(assertCanOpen)).toEqual(["draft"]);
  expect(allowed(assertCanCancel)).toEqual(["draft", "opening", "open"]);
  expect(allowed((one) => requireStatus(one, ...scannable))).toEqual(["open", "reconciling", "reconciled"]);
  expect(allowed(reconcilable)).toEqual(["open", "reconciled"]);
});

test("a count is in progress from its opening until it is closed or cancelled", () => {
  expect(inProgress).toEqual(["opening", "open", "reconciling", "reconciled"]);
  expect([...inProgress, ...notInProgress].toSorted()).toEqual(statuses.toSorted());
});

test("a reconcile that fails gives the session back the status in which it was started", () => {
  expect(reconcilable(session({ status: "open" }))).toBe("open");
  expect(reconcilable(session({ status: "reconciled" }))).toBe("reconciled");
  expect(() => reconcilable(session({ status: "draft" }))).toThrow(
    "The session is draft. This needs a session that is open or reconciled.",
  );
});

describe("a session can be closed", () => {
  const close = (fields: Partial<Session>) => () =>
    assertCanClose(session({ status: "reconciled", scanSeq: 5, reconciledSeq: 5, unresolved: 0, ...fields }));
  const refused = (code: string, message: string, field: string, value: string) =>
    expect.objectContaining({ kind: "conflict", code, message, violations: [{ field, message: value }] });

  test("once it is reconciled", () => {
    expect(close({})).not.toThrow();
    expect(allowed((one) => assertCanClose({ ...one, unresolved: 0 }))).toEqual(["reconciled"]);
  });

  test("unless scans came after the reconcile, also if variances are unresolved", () => {
    const message = "Scans came after the last reconcile. Reconcile the session again.";
    expect(close({ scanSeq: 6, unresolved: 1 })).toThrow(
      refused("STOCKTAKE_STALE", message, "stale", "true"),
    );
  });

  test.each([
    [1, "1 variance is unresolved. Resolve all of them first."],
    [2, "2 variances are unresolved. Resolve all of them first."],
  ])("unless variances are unresolved: %s", (unresolved, message) => {
    expect(close({ unresolved })).toThrow(
      refused("STOCKTAKE_UNRESOLVED", message, "unresolved", String(unresolved)),
    );
  });
});

test("a session has results to show from its first reconcile on", () => {
  expect(resultsOf({ id: "sts_1" })).toBe("");
  expect(resultsOf({ id: "sts_1", reconciledAt: new Date() })).toBe("sts_1");
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
  expect(afterFailedReconcile({})).toEqual({ status: "open", staleBy: 0 });
});

test("the session knows what happened until its last reconcile began; of an earlier release, until it ended", () => {
  const [until, reconciledAt] = [new Date(1), new Date(2)];
  expect(knownUntil({ result: { ...noRows, seen: 0, until }, reconciledAt })).toBe(until);
  expect(knownUntil({ result: { ...noRows, seen: 0 }, reconciledAt })).toBe(reconciledAt);
  expect(knownUntil({ reconciledAt })).toBe(reconciledAt);
});
