import { expect, test } from "vitest";
import type { Variance } from "../variance.ts";
import { addRow, noRows, unresolvedOf } from "./run.ts";

const row = (fields: Partial<Variance>): Variance => ({
  ...{ id: "var_1", workspaceId: "wsp_1", sessionId: "sts_1", subject: "asset:ast_1", kind: "missing" },
  ...{ status: "unresolved", obsolete: false, rev: 1, ...fields },
});

test("a row that is resolving is unresolved, and counts for no resolution yet", () => {
  const resolving = row({ status: "resolving", resolution: "written_off", cost: 500, nbv: 300 });
  const totals = addRow(noRows, resolving);
  expect(totals.counts.missing).toEqual({
    ...{ total: 1, unresolved: 1, confirmed_moved: 0, written_off: 0, ignored: 0 },
  });
  expect([unresolvedOf(totals), totals.missingCost, totals.missingNbv]).toEqual([1, 500, 300]);
});

test("a resolved row counts for its resolution, and only in its kind", () => {
  const first = addRow(noRows, row({ status: "resolved", resolution: "written_off" }));
  const totals = addRow(first, row({ kind: "misplaced", cost: 500 }));
  expect(totals.counts.missing).toMatchObject({ total: 1, unresolved: 0, written_off: 1 });
  expect(totals.counts.misplaced).toMatchObject({ total: 1, unresolved: 1 });
  expect([unresolvedOf(totals), totals.missingCost]).toEqual([1, 0]);
});
