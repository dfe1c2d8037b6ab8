import { expect, test } from "vitest";
import {
  assertCanCancel,
  assertCanOpen,
  hidesExpected,
  isStale,
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
